"""The plotter of the Gavia notes."""
