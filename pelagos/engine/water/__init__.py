"""The sea in the kernel: currents, waves, and how much of a hull is wet."""
