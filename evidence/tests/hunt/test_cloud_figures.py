"""The figures of the cloud: drawn from any numbers, the same bytes from the same numbers."""

import numpy as np

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.hunt.cloud import cloud_drawing, convergence_drawing
from pelagos_evidence.hunt.convergence import COUNTS, SECTIONS, Convergence


def test_both_figures():
    n = np.array(COUNTS, float)
    rest = 0.129 + np.outer(1.0 / np.sqrt(n), np.linspace(-1.0, 1.0, 3))
    numbers = Convergence(0.4 / np.sqrt(n), 0.4 / np.sqrt(n), 1.0 / np.array(SECTIONS, float), rest, 0.129, 1.0 / n)
    drawing = convergence_drawing(numbers)
    assert drawing.name == "hunt-convergence" and drawing.png.startswith(b"\x89PNG")
    assert convergence_drawing(numbers).png == drawing.png
    assert cloud_drawing(load_vehicle("iver3")).name == "hunt-cloud"
