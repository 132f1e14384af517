"""Parts of Royer's chapters 2 to 6: dynamics, tether, picture, collisions, console."""

from __future__ import annotations

from pelagos_evidence.document import Findings, Part, Tell


def dynamics(tell: Tell) -> Findings:
    """Chapter 2 and section 6.1.a."""
    from pelagos_evidence.royer.dynamics import equation_rows
    from pelagos_evidence.royer.motion import dynamics_figure, motion_rows

    equations = equation_rows()
    tell(0.4)
    motion = motion_rows()
    tell(0.7)
    return Findings((*equations, *motion), (dynamics_figure(),))


def tether(tell: Tell) -> Findings:
    """Chapter 3."""
    from pelagos_evidence.royer.search import search_figure, search_rows, shapes_figure
    from pelagos_evidence.royer.tether import equation_rows, step_rows, tension_rows

    rows = equation_rows() + step_rows()
    tell(0.4)
    rows += search_rows() + tension_rows()
    tell(0.7)
    return Findings(tuple(rows), (shapes_figure(), search_figure()))


def camera(tell: Tell) -> Findings:
    """Chapter 4."""
    from pelagos_evidence.royer.camera import camera_rows
    from pelagos_evidence.royer.picture import views_figure

    rows = camera_rows()
    tell(0.6)
    return Findings(tuple(rows), (views_figure(),))


def collision(tell: Tell) -> Findings:
    """Chapter 5 and the scene."""
    from pelagos_evidence.royer.collision import collision_figure, collision_rows

    rows = collision_rows()
    tell(0.6)
    return Findings(tuple(rows), (collision_figure(),))


def console(tell: Tell) -> Findings:
    """Sections 6.1.b to 6.3."""
    from pelagos_evidence.royer.displays import display_rows

    tell(0.0)
    return Findings(tuple(display_rows()))


PARTS: tuple[Part, ...] = (
    Part(
        "dynamics",
        "Dynamics of the vehicle",
        "Chapter 2 derives six equations of motion about a point P that is not the centre of gravity, with added mass, "
        "drag, thrusters and a tether. Every equation was written down as it is printed and evaluated at random states "
        "beside the engine; where the print is wrong the row says what it would give. The vehicle of section 6.1.a was "
        "then flown. Two things do not fit: the stated limit speed needs less thrust than is stated, and the pair of "
        "sets (1) and (2) contradicts the mass matrix on the next page. See [forces](forces.md).",
        dynamics,
    ),
    Part(
        "tether",
        "The static tether",
        "Chapter 3 integrates a neutral cable in a current from the ship down and searches for the tension with which "
        "it ends at the vehicle. Pelagos has his algorithm step by step ([Royer's cable](tether-royer.md)), and a "
        "general "
        "tether that shares no code with it; both were asked for his four tensions. The curves of his figures are not "
        "in our copy; figures 3.5 to 3.11 are drawn anew from the numbers in the text.",
        tether,
    ),
    Part(
        "camera",
        "The picture",
        "Chapter 4 projects the scene on the screen of the pilot: perspective, four clipping planes, visible faces, "
        "shading, pan and tilt. His formulas were held against the camera matrix of the [console](console.md), at "
        "random "
        "places, attitudes and camera angles; a test does the same with the page's own JavaScript.",
        camera,
    ),
    Part(
        "collision",
        "Collisions and the scene",
        "Chapter 5 detects when the vehicle, a level box, meets an element of the scene, and only signals it. His "
        "steps "
        "were compared with the general contact of Pelagos ([contact](contact.md)) on random poses around every "
        "element, "
        "and a vehicle was flown at the wellhead with and without contact.",
        collision,
    ),
    Part(
        "console",
        "The pilot's place",
        "Section 6.2 lists what the pilot sees and commands, section 6.3 the controls. A flight of the "
        "[console](console.md) with the same vehicle, scene and cable was asked for each of them.",
        console,
    ),
)
