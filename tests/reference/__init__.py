"""The slow textbook twin of the compiled engine: matrices, plain NumPy, one equation per function."""
