"""The plotter program of the Gavia notes."""
