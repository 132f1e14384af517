"""The hand-written notes for a simulator of an AUV: equations of motion and formulas for a slender hull."""

from pelagos_evidence.document import read_document

DOCUMENT = read_document(__name__, __file__)
