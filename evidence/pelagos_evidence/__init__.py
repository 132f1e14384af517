"""The five documents Pelagos grew from, recomputed: every published claim, our value, the error and a verdict."""
