"""A cable from a ship to a vehicle: what it is, how it is paid out, how it pulls."""
