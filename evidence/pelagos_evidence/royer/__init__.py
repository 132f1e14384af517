"""Royer (MIT 1985): an ROV with tether, camera, collisions and console, and its pilots."""

from pelagos_evidence.document import read_document

DOCUMENT = read_document(__name__, __file__)
