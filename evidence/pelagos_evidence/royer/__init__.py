"""Royer (MIT 1985): an ROV with its tether, its camera, its collisions, its console, and pilots who fly it."""

from pelagos_evidence.document import read_document

DOCUMENT = read_document(__name__, __file__)
