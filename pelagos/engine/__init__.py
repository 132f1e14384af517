"""The compiled physics: floats and arrays in, floats and arrays out."""
