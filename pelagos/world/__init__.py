"""The environment of the vehicle: water, waves, currents, seabed and structures."""
