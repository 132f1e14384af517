"""Instruments that measure: one source for a single vehicle and for many; the compiled counterpart of descriptions."""
