"""Brutzman 1994, chapter VI: every equation and table beside the engine, and the motions they describe, flown."""

from pelagos_evidence.document import read_document

DOCUMENT = read_document(__name__, __file__)
