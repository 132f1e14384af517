"""Royer (MIT 1985): an ROV with its tether, its camera, its collisions, its console, and pilots who fly it."""

from __future__ import annotations

from pelagos_evidence.document import Document
from pelagos_evidence.royer.model_parts import PARTS as MODEL_PARTS
from pelagos_evidence.royer.pilots.parts import PARTS as PILOT_PARTS

CHIEF = (
    "tension-450", "tension-350", "tension-200", "tension-45", "three-percent", "figure-3-7", "limit-speed", "pump",
    "perspective", "clip-planes", "pan-tilt", "collision-cube", "hover-depth-top", "hover-camera",
    "hover-camera-depth-control", "hover-camera-altitude", "hover-late-pictures", "hover-current", "hover-cable-calm",
    "hover-cable-current", "hover-novice-camera", "hover-novice-cable", "pipe-depth-top", "pipe-camera", "pipe-cable",
    "pipe-novice-cable", "pipe-out-and-back",
)  # fmt: skip

DOCUMENT = Document(
    key="royer",
    short="Royer 1985",
    citation=(
        "T. Royer, Human-interactive simulation and display of an underwater remotely operated vehicle, "
        "MIT Sea Grant College Program, MITSG 85-29TN, November 1985"
    ),
    about=(
        "A master's thesis that built an ROV simulator on a PDP-11/34: the dynamics of a 400 kg vehicle, a static "
        "tether, a camera picture with hidden faces removed, a collision detector, and two tasks for pilots. "
        "Our copy is a text without its figures, so what only a figure tells (places of the thrusters, sizes in the "
        "scene, curves) had to be assumed, and each row that rests on such an assumption says so."
    ),
    parts=MODEL_PARTS + PILOT_PARTS,
    chief=CHIEF,
)
