"""Transcription of equations 6.4-6.23 as printed: rotation matrix, rates of the Euler angles, their inverses.

Evidence, not a second engine: nothing but the rows and tests of this chapter calls it.
"""

from __future__ import annotations

from math import cos, sin, tan

import numpy as np

from pelagos.reproduce.brutzman.equations_rows import Array


def rotation_product(phi: float, theta: float, psi: float) -> Array:
    """(6.4): R = R_z(psi) R_y(theta) R_x(phi), the three matrices as printed."""
    about_z = np.array([[cos(psi), -sin(psi), 0.0], [sin(psi), cos(psi), 0.0], [0.0, 0.0, 1.0]])
    about_y = np.array([[cos(theta), 0.0, sin(theta)], [0.0, 1.0, 0.0], [-sin(theta), 0.0, cos(theta)]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cos(phi), -sin(phi)], [0.0, sin(phi), cos(phi)]])
    return about_z @ about_y @ about_x


def rotation_entries(phi: float, theta: float, psi: float) -> Array:
    """(6.5): the nine entries as printed."""
    return np.array(
        [
            [
                cos(theta) * cos(psi),
                sin(phi) * sin(theta) * cos(psi) - cos(phi) * sin(psi),
                cos(phi) * sin(theta) * cos(psi) + sin(phi) * sin(psi),
            ],
            [
                cos(theta) * sin(psi),
                sin(phi) * sin(theta) * sin(psi) + cos(phi) * cos(psi),
                cos(phi) * sin(theta) * sin(psi) - sin(phi) * cos(psi),
            ],
            [-sin(theta), sin(phi) * cos(theta), cos(phi) * cos(theta)],
        ]
    )


def angle_rates(phi: float, theta: float, p: float, q: float, r: float) -> Array:
    """(6.9)-(6.11): rates of roll, pitch and yaw."""
    return np.array(
        [
            p + q * sin(phi) * tan(theta) + r * cos(phi) * tan(theta),
            q * cos(phi) - r * sin(phi),
            (q * sin(phi) + r * cos(phi)) / cos(theta),
        ]
    )


def rates_matrix(phi: float, theta: float) -> Array:
    """(6.13): T."""
    return np.array(
        [
            [1.0, sin(phi) * tan(theta), cos(phi) * tan(theta)],
            [0.0, cos(phi), -sin(phi)],
            [0.0, sin(phi) / cos(theta), cos(phi) / cos(theta)],
        ]
    )


def body_rates(phi: float, theta: float, phi_rate: float, theta_rate: float, psi_rate: float) -> Array:
    """(6.15)-(6.17): p, q, r."""
    return np.array(
        [
            phi_rate - psi_rate * sin(theta),
            theta_rate * cos(phi) + psi_rate * sin(phi) * cos(theta),
            -theta_rate * sin(phi) + psi_rate * cos(phi) * cos(theta),
        ]
    )


def inverse_rates_matrix(phi: float, theta: float) -> Array:
    """(6.19): the inverse of T."""
    return np.array(
        [
            [1.0, 0.0, -sin(theta)],
            [0.0, cos(phi), sin(phi) * cos(theta)],
            [0.0, -sin(phi), cos(phi) * cos(theta)],
        ]
    )


def body_to_world(phi: float, theta: float, psi: float) -> Array:
    """(6.22): the six by six matrix of R and T."""
    joint = np.zeros((6, 6))
    joint[:3, :3], joint[3:, 3:] = rotation_entries(phi, theta, psi), rates_matrix(phi, theta)
    return joint


def world_to_body(phi: float, theta: float, psi: float) -> Array:
    """(6.23): the six by six matrix of the transpose of R and the inverse of T."""
    joint = np.zeros((6, 6))
    joint[:3, :3], joint[3:, 3:] = rotation_entries(phi, theta, psi).T, inverse_rates_matrix(phi, theta)
    return joint
