"""Parts of Royer's chapters 2 to 6: dynamics, tether, picture, collisions, console."""

from __future__ import annotations

from pelagos_evidence.document import Findings, Progress


def dynamics(progress: Progress) -> Findings:
    """Chapter 2 and section 6.1.a."""
    from pelagos_evidence.royer.dynamics import equation_claims
    from pelagos_evidence.royer.motion import dynamics_figure, motion_claims

    equations = equation_claims()
    progress(0.4)
    motion = motion_claims()
    progress(0.7)
    return Findings((*equations, *motion), (dynamics_figure(),))


def tether(progress: Progress) -> Findings:
    """Chapter 3."""
    from pelagos_evidence.royer import search
    from pelagos_evidence.royer.search import search_figure, search_values, shapes_figure
    from pelagos_evidence.royer.tether import ROWS, equation_values, step_values, tension_values

    values = {**equation_values(), **step_values()}
    progress(0.4)
    claims = ROWS.claims(values | tension_values())
    claims = (*claims[: len(values)], *search.ROWS.claims(search_values()), *claims[len(values) :])
    progress(0.7)
    return Findings(claims, (shapes_figure(), search_figure()))


def camera(progress: Progress) -> Findings:
    """Chapter 4."""
    from pelagos_evidence.royer.camera import camera_claims
    from pelagos_evidence.royer.picture import views_figure

    claims = camera_claims()
    progress(0.6)
    return Findings(claims, (views_figure(),))


def collision(progress: Progress) -> Findings:
    """Chapter 5 and the scene."""
    from pelagos_evidence.royer.collision import collision_claims, collision_figure

    claims = collision_claims()
    progress(0.6)
    return Findings(claims, (collision_figure(),))


def console(progress: Progress) -> Findings:
    """Sections 6.1.b to 6.3."""
    from pelagos_evidence.royer.displays import display_claims

    progress(0.0)
    return Findings(display_claims())
