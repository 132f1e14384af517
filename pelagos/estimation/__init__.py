"""State estimation: navigation filter, aiding instruments, altitude."""
