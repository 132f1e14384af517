"""Piloting tasks: what is to be done, under which conditions, how well it was done, and by whom."""
