"""Tether: a lumped-mass chain of elastic elements with its winch and its ship."""
