"""The Gavia notes: dynamic model, bottom and navigation sonar, plotter."""

from pelagos_evidence.document import read_document

DOCUMENT = read_document(__name__, __file__)
