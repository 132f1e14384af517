"""Ocean currents."""
