"""Hunt and Whitcomb: hybrid model of a vehicle, submerged and at the surface; equations, table, cloud, both dives."""

from pelagos_evidence.document import read_document

DOCUMENT = read_document(__name__, __file__)
