"""Brutzman 1994, chapter VI: equations and tables compared with the engine, and simulations of the motions."""

from pelagos_evidence.document import read_document

DOCUMENT = read_document(__name__, __file__)
