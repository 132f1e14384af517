"""The keys of the [[camera]] and [[lamp]] tables of a vehicle file: what its pilot sees by."""

from __future__ import annotations

from pelagos.vehicle.keytypes import Section, listing, number, text, vector

CAMERA = Section("a camera of the pilot; without one the vehicle gets one at its nose, looking ahead", (
    text("name", "default camera_1"),
    vector("position", "of its lens", "length", required=True),
    number("pan", "at rest, positive to starboard, default 0", "angle"),
    number("tilt", "at rest, positive up, default 0", "angle"),
    listing("pan_limit", "lowest and highest pan; absent: it cannot pan", (2,), unit="angle"),
    listing("tilt_limit", "lowest and highest tilt; absent: it cannot tilt", (2,), unit="angle"),
    number("rate", "of pan and tilt, default 30 deg/s", "angular rate", sign="positive"),
    number("fov", "horizontal angle of view in water at zoom 1, default 80 deg", "angle", sign="positive"),
    number("zoom_most", "largest magnification, 1 or more; default 1: no zoom", sign="positive"),
), many=True)  # fmt: skip

LAMP = Section("a lamp, fixed to the frame; without one the vehicle gets one above its camera", (
    text("name", "default lamp_1"),
    vector("position", "", "length", required=True),
    vector("direction", "the middle of its beam, default ahead", sign="nonzero"),
    number("beam", "whole angle of the cone of light, default 120 deg", "angle", sign="positive"),
    number("lumens", "luminous flux at full power, lm", sign="positive", required=True),
), many=True)  # fmt: skip
