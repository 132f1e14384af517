"""Figures, summaries and reports of a logged run, and drawings of a world."""
