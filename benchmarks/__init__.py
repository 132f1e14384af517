"""Benchmarks of Pelagos: they measure its speed on this machine; `pelagos bench` runs them from a clone."""
