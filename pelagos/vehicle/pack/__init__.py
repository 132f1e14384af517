"""Pack a `Vehicle` into the records of the engine; no other code writes them."""
