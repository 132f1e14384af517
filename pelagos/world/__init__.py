"""The sea a vehicle is in."""
