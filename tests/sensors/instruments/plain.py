"""Names for an expression in another interpreter, without the JIT."""

import numpy as np

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.depth import Depth
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise

__all__ = ["Depth", "Instant", "Noise", "VehicleContext", "np"]
