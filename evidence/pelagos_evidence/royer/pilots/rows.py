"""Rows of chapter 7: what the thesis says of its pilots, beside what the simulated ones did.

Rows of section 7.1: the conditions and the two tasks, as numbers that can be held against the text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pelagos.training.conditions import THESIS
from pelagos.training.observation import Observation
from pelagos.training.targets.hover import MIDDLE, Hover
from pelagos.training.trial import CURVE_COLUMNS
from pelagos_evidence.claim import Claim, Proof, bound, number, statement
from pelagos_evidence.royer.pilots.experiments import BACK, Flight, hover_task
from pelagos_evidence.royer.pilots.orderings import LEVEL, Comparison, compared
from pelagos_evidence.royer.pilots.view import Array

PROOF = Proof(
    code=("pelagos.training.conditions", "pelagos.training.targets.hover"),
    tests=("tests/training/targets/test_hover.py",),
)


def setup_rows() -> list[Claim]:
    """7.1.a and 7.1.b."""
    flows = {
        name: (one.current_m_s, one.current_to_deg or 0.0, one.cable, one.top_view) for name, one in THESIS.items()
    }
    wanted = {
        "calm": (0.0, 0.0, False, True), "current": (1.0, 0.0, False, True), "cable": (0.75, 0.0, True, True),
        "calm-camera": (0.0, 0.0, False, False), "current-camera": (1.0, 0.0, False, False),
        "cable-camera": (0.75, 0.0, True, False),
    }  # fmt: skip
    task = hover_task()
    target, world, vehicle = task.target, task.world_for(), task.vehicle()
    assert isinstance(target, Hover)
    judge = target.judge(world, vehicle, 0)
    fit = target.triangle_n(world).mean(axis=0)[:2] + np.array([judge.bow_b[0] + MIDDLE * target.triangle_m, 0.0])
    depth = float(world.bottom_m(*fit.tolist())) - 2.5
    at_fit = Observation(0.0, 0.1, np.array([*fit.tolist(), depth]), (0.0, 0.0, math.pi), np.zeros(6), 2.5)
    in_cube = replace_place(at_fit, -2.0)
    fitted, inside = judge.measured(at_fit), judge.measured(in_cube)
    curve = {"time_s", "north_m", "east_m", "depth_m", "heading_deg"}
    return [
        statement(
            "six-conditions", "section 7.1.a",
            "the six sets of conditions: still, 1 m/s from the south, 0.75 m/s from the south with cable; each "
            "with top view and camera or the camera alone",
            "six sets", f"{sum(flows[k] == v for k, v in wanted.items())} of 6 alike", flows == wanted, why="numbers "
            "of the text", proof=PROOF, read_back=True,
        ),
        statement(
            "recorded-data", "section 7.1.a", "what is recorded of a run", "x, y, z, heading and time",
            ", ".join(sorted(curve & set(CURVE_COLUMNS))), curve <= set(CURVE_COLUMNS), why="names of the columns",
            proof=Proof(code=("pelagos.training.trial",), tests=("tests/training/test_trial.py",)), read_back=True,
        ),
        number(
            "complete-fit", "section 7.1.b", "distance where the triangles overlap, heading 180, altitude 2.5 m",
            0.0, fitted["distance_m"] + abs(fitted["altitude_error_m"]) + abs(fitted["heading_error_deg"]), "m",
            absolute=1e-9, why="a complete fit is no distance: rounding",
            assumption="size and place of the triangles (figure 7.2 is lost)", proof=PROOF,
        ),
        statement(
            "negative-in-cube", "section 7.1.b", "sign of the distance with the bow 1.5 m in the cube",
            "multiplied by -1", f"{inside['distance_m']:.2f} m", abs(inside["distance_m"] + 2.0) < 1e-9,
            why="2 m beyond the fit, negative: rounding", proof=PROOF,
            assumption="size and place of the triangles (figure 7.2 is lost)",
        ),
        number(
            "spot", "section 7.1.b", "side of the spot on the face of the cube, the camera's target", 25.0,
            100.0 * target.spot_m, "cm", absolute=1e-9, why="a number of the task", proof=PROOF, read_back=True,
        ),
    ]  # fmt: skip


def replace_place(observation: Observation, north_m: float) -> Observation:
    """The same, so much farther north."""
    return observation._replace(position_n=observation.position_n + np.array([north_m, 0.0, 0.0]))


# ---- pilot rows ------------------------------------------------------------------------------------------------------


Flown = Mapping[str, Sequence[Flight]]
PILOT = (
    "the pilot is a model of a human operator with values from the literature where it has them; his rules, how finely "
    "he sets a stick, the start and the sizes of the screens are assumed (see "
    "pelagos_evidence.royer.pilots.pilot, view, "
    "experiments)"
)
WHY = (
    "the thesis prints curves of one attempt each (lost in our copy) and no number; here the medians of several "
    f"attempts are compared, and the chance that luck alone would order them so must be below {LEVEL:g}"
)
CODE = (
    "pelagos_evidence.royer.pilots.pilot",
    "pelagos_evidence.royer.pilots.view",
    "pelagos_evidence.royer.pilots.experiments",
)
TESTS = ("tests/evidence/royer/pilots/test_pilot.py", "tests/evidence/royer/pilots/test_rows_pilot.py")
DRASTIC = 2.0  # ratio: what a reader would call a drastic change
ALIKE = 1.25


@dataclass(frozen=True)
class Attempts:
    """Everything that was flown: by key of the case, hovering and along the pipe, and the cable's pull."""

    hovering: Flown
    following: Flown
    pull: Array
    pull_aside: Array  # on the course of the pipe


def ordering(
    key: str,
    place: str,
    what: str,
    published: str,
    found: Comparison,
    figures: tuple[str, ...],
    reason: str = "",
) -> Claim:
    """One condition worse than another, and not by luck; the contrary, and not by luck, fails; else it is not met.

    Args:
        key: as in `Claim`.
        place: as in `Claim`.
        what: as in `Claim`.
        published: as in `Claim`.
        found: what was flown.
        figures: as in `Proof`.
        reason: what is thought to be behind it, told where it does not come out.
    """
    told = "" if found.holds else f". {reason}"
    return statement(
        key, place, what, published, found.words(), found.holds, tolerance=f"larger, chance below {LEVEL:g}",
        why=f"{WHY}{told}", assumption=PILOT, numbers=found.numbers(), unit="m",
        proof=Proof(code=CODE, tests=TESTS, figures=figures),
        otherwise="failed" if found.contradicted else "not met", known=reason if found.contradicted else "",
    )  # fmt: skip


def hover_rows(flown: Flown) -> list[Claim]:
    """7.2 to 7.7, hovering."""
    shown, larger = ("royer-pilot-hover", "royer-pilot-summary"), "larger without depth control"
    camera = "flying is obviously easier with the top view than with the camera only"
    rows = [
        ordering("hover-depth-top", "section 7.2, figures 7.4.b and 7.6.b",
                 "hovering by the top view: rms distance without and with depth control", "much " + larger,
                 compared(flown["4"], flown["6"]), shown),
        ordering("hover-depth-camera", "section 7.2, figures 7.5.b and 7.7.b",
                 "hovering by the camera: rms distance without and with depth control", "much " + larger,
                 compared(flown["5"], flown["7"]), ("royer-pilot-hover",), _why_lost(flown)),
        ordering("hover-camera", "section 7.3, figures 7.4.b and 7.5.b",
                 "hovering without depth control: rms distance by the camera only and by the top view", camera,
                 compared(flown["5"], flown["4"]), (*shown, "royer-pilot-example")),
        ordering("hover-camera-depth-control", "section 7.3, figures 7.6.b and 7.7.b",
                 "hovering with depth control: rms distance by the camera only and by the top view", camera,
                 compared(flown["7"], flown["6"]), shown),
        ordering("hover-camera-current", "section 7.3, figures 7.8.b and 7.9.b",
                 "hovering in the current with depth control: rms distance by the camera only and by the top view",
                 camera, compared(flown["9"], flown["8"]), shown),
        _late(flown),
        _camera_helps(flown),
        _not_drastic("hover-current", "section 7.4, figures 7.6.b and 7.8.b", "average distance when hovering",
                     compared(flown["8"], flown["6"], lambda flight: flight.average_m), "royer-pilot-hover"),
        ordering("hover-cable-current", "section 7.5, figures 7.8.b and 7.10.b",
                 "hovering: rms distance with current and cable, and with the stronger current alone",
                 "error magnitudes are larger than in the previous situations", compared(flown["10"], flown["8"]),
                 shown, "The current alone is the stronger, 1 against 0.75 m/s, and a steady pull along the vehicle is "
                 "a load that the pilot of the model carries without tiring."),
        ordering("hover-cable-calm", "section 7.5, figures 7.6.b and 7.10.b",
                 "hovering: rms distance with current and cable, and without both",
                 "error magnitudes are larger than in the previous situations", compared(flown["10"], flown["6"]),
                 shown),
        ordering("hover-novice-camera", "section 7.6, figures 7.9.b and 7.11.b",
                 "hovering in the current by the camera: rms distance of the novice and of the trained pilot",
                 "shown as the effect of a few minutes against some hours of practice",
                 compared(flown["11"], flown["9"]), shown),
        ordering("hover-novice-cable", "section 7.6, figures 7.10.b and 7.12.b",
                 "hovering with the cable by the top view: rms distance of the novice and of the trained pilot",
                 "shown as the effect of a few minutes against some hours of practice",
                 compared(flown["12"], flown["10"]), shown),
    ]  # fmt: skip
    found = compared(flown["6n"], flown["6"])
    rows.append(
        statement(
            "hover-top-view-forms",
            "section 7.7",
            "hovering at a heading of 180: rms distance by a top view with north up and with the ship up",
            "no specific disparity between the two forms",
            found.words(),
            1.0 / ALIKE < found.ratio < ALIKE,
            tolerance=f"medians within a factor {ALIKE:g}",
            why="no number is printed; a quarter more or less is what attempts of one pilot differ by",
            assumption=f"{PILOT}; that a picture turned by 180 degrees asks nothing of him is the thesis's own reading",
            numbers=found.numbers(),
            unit="m",
            proof=Proof(code=CODE, tests=TESTS),
        )
    )
    return rows


def pipe_rows(flown: Flown) -> list[Claim]:
    """7.2 to 7.7, along the pipe."""
    shown = ("royer-pilot-pipe", "royer-pilot-summary")
    rows = [
        ordering("pipe-depth-top", "section 7.2, figures 7.4.a and 7.6.a",
                 "along the pipe by the top view: rms way off the axis without and with depth control",
                 "larger without depth control", compared(flown["4"], flown["6"]), shown),
        ordering("pipe-depth-camera", "section 7.2, figures 7.5.a and 7.7.a",
                 "along the pipe by the camera: rms way off the axis without and with depth control",
                 "larger without depth control", compared(flown["5"], flown["7"]), ("royer-pilot-pipe",),
                 "To go from the picture to the compass and back takes the pilot of the model most of his time; a look "
                 "at the figures of the depth on the way adds less to it than by the top view."),
        ordering("pipe-camera-no-control", "section 7.3, figures 7.4.a and 7.5.a",
                 "along the pipe without depth control: rms way off the axis by the camera only and by the top view",
                 "flying is obviously easier with the top view than with the camera only",
                 compared(flown["5"], flown["4"]), shown),
        ordering("pipe-camera", "section 7.3, figures 7.6.a and 7.7.a",
                 "along the pipe with depth control: rms way off the axis by the camera only and by the top view",
                 "flying is obviously easier with the top view than with the camera only",
                 compared(flown["7"], flown["6"]), shown),
        ordering("pipe-camera-current", "section 7.3, figures 7.8.a and 7.9.a",
                 "along the pipe in the current: rms way off the axis by the camera only and by the top view",
                 "flying is obviously easier with the top view than with the camera only",
                 compared(flown["9"], flown["8"]), shown,
                 "A plain pipe does not show the speed: by the camera the pilot keeps the stick that gives 0.5 m/s in "
                 "still water, the current carries him along the pipe more than twice as fast, and he has less time to "
                 "leave it."),
        _not_drastic("pipe-current", "section 7.4, figures 7.6.a and 7.8.a", "rms way off the axis of the pipe",
                     compared(flown["8"], flown["6"]), "royer-pilot-pipe"),
        ordering("pipe-cable", "section 7.5, figures 7.8.a and 7.10.a",
                 "along the pipe by the top view: rms way off the axis with current and cable, and with the stronger "
                 "current alone",
                 "error magnitudes are larger than in the previous situations", compared(flown["10"], flown["8"]),
                 shown),
        ordering("pipe-novice-camera", "section 7.6, figures 7.9.a and 7.11.a",
                 "along the pipe in the current by the camera: rms way off the axis of the novice and of the trained "
                 "pilot",
                 "shown as the effect of a few minutes against some hours of practice",
                 compared(flown["11"], flown["9"]), shown),
        ordering("pipe-novice-cable", "section 7.6, figures 7.10.a and 7.12.a",
                 "along the pipe with the cable by the top view: rms way off the axis of the novice and of the "
                 "trained pilot",
                 "shown as the effect of a few minutes against some hours of practice",
                 compared(flown["12"], flown["10"]), shown),
        ordering("pipe-out-and-back", "section 7.7, figures 7.13 and 7.14",
                 "top view with north up: rms way off the axis on the way back, thrusters at 135 degrees from the "
                 "joystick, and on the way out, at 45 degrees; the same noise of the pilot in each pair",
                 "the results were more striking; the correlation of thruster to joystick is important",
                 compared(flown["14"], flown["13"], paired=True), (*shown, "royer-pilot-out-and-back")),
    ]  # fmt: skip
    camera = abs(flown["14c"][0].size_m - flown["7"][0].size_m)
    rows.append(
        bound(
            "pipe-camera-back",
            "section 7.7",
            "camera only, no current: change of the rms way off the axis between the way out and the way back",
            "below",
            0.01,
            camera,
            "m",
            why="'with the only camera, no difference should be noticed': nothing in ship axes tells the two ways "
            "apart; a centimetre is not noticed",
            assumption=PILOT,
            proof=Proof(code=CODE, tests=TESTS),
        )
    )
    turn = math.degrees(math.remainder(math.radians(float(np.median(flown["14"][0].curve["heading_deg"]))), math.tau))
    rows.append(
        number(
            "pipe-135",
            "section 7.7, figure 7.14",
            "angle between joystick and thrusters on the screen on the way back, north up",
            135.0,
            abs(turn),
            "deg",
            absolute=2.0,
            why="the heading of the flown way back, which the pilot keeps within a degree or two",
            assumption="the pipe leads north-east, as the text says of figure 7.13; the text compares with 'figures "
            "15 and 16', which can only be 13 and 14",
            proof=Proof(code=(BACK.__class__.__module__,), figures=("royer-pilot-out-and-back",)),
        )
    )
    return rows


def cable_rows(pull: Array, aside: Array) -> list[Claim]:
    """7.5, the force itself: hovering, and on the course of the pipe."""
    north, east, *_ = pull.mean(axis=0).tolist()
    level = np.hypot(pull[:, 0], pull[:, 1])
    off = abs(math.degrees(math.atan2(east, north)))
    yaw = abs(float(aside[:, 3].mean()))
    proof = Proof(
        code=("pelagos_evidence.royer.pilots.experiments.held_on_cable", "pelagos.training.conditions"), tests=TESTS
    )
    rigged = "1.5 m of cable for each metre to the ship, as in the examples of chapter 3"
    return [
        bound(
            "cable-parallel", "section 7.5",
            "angle between the level pull of the cable and the current, hovering, ship above", "below", 10.0, off,
            "deg", why="'roughly parallel to the current': 10 degrees", proof=proof, assumption=rigged,
        ),
        bound(
            "cable-steady", "section 7.5", "variation of the level pull, standard deviation over mean, hovering",
            "below", 0.1, float(level.std() / level.mean()), "",
            why="'only steady additional forces': a tenth. The cable of the runs is static, as his, and its ship "
            "follows the vehicle",
            assumption=f"{rigged}; vehicle held by auto-position", proof=proof,
        ),
        statement(
            "cable-yaw", "section 7.5", "the cable's yaw moment that the pilot has to compensate, on the course of the "
            "pipe", "a yaw moment, as the cable is tied beside the centre of rotation", f"{yaw:.0f} N m", yaw > 10.0,
            tolerance="more than 10 N m", why="what a pilot has to compensate is more than the 2 % of the 500 N m at "
            "full stick to which he can set it", numbers={"ours": yaw}, unit="N m",
            assumption="tied where the vehicle file has it, on the top 0.5 m behind the middle: the place is only in a "
            "lost figure",
            proof=replace(proof, errata=("R18",)),
        ),
    ]  # fmt: skip


def _why_lost(flown: Flown) -> str:
    lost = {key: sum(flight.blind_share > 0.0 for flight in flown[key]) for key in ("5", "7")}
    return (
        "Attempts by the camera are of two kinds, those that keep the spot "
        f"in the picture and those that lose it ({lost['5']} of {len(flown['5'])} without, {lost['7']} of "
        f"{len(flown['7'])} with depth control) and back off to find it again, and of the latter the distance says how "
        "long that took, not how the depth was kept."
    )


def _late(flown: Flown) -> Claim:
    found = compared(flown["7l"], flown["6"])
    middle, late = (f"{np.median([flight.size_m for flight in flown[key]]):.2f}" for key in ("7m", "7l"))
    lost = {key: sum(flight.blind_share > 0.0 for flight in flown[key]) for key in ("7", "7m", "7l")}
    by = compared(flown["7l"], flown["7"])
    return statement(
        "hover-late-pictures", "section 6.2",
        "hovering with depth control: rms distance by the camera only, pictures 1.25 s late, and by the top view",
        "the top view compensates for the loss of information due to the 0.5 to 1.2 s of delay",
        f"{found.words()}; pictures 0.5, 0.75 and 1.25 s late: {by.medians[1]:.2f}, {middle} and {late} m, the spot "
        f"lost in {lost['7']} of {len(flown['7'])}, {lost['7m']} of {len(flown['7m'])} and {lost['7l']} of "
        f"{len(flown['7l'])} attempts (that 1.25 s are worse than 0.5 s may be luck: chance {by.chance:.2g})",
        found.holds, tolerance=f"larger, chance below {LEVEL:g}", why=WHY,
        assumption=f"{PILOT}; frames come every 0.25 s, and the nearest to 0.85 and 1.2 s are taken",
        numbers=found.numbers(), unit="m", proof=Proof(code=CODE, tests=TESTS, figures=("royer-pilot-summary",)),
    )  # fmt: skip


def _camera_helps(flown: Flown) -> Claim:
    lost = sum(flight.blind_share > 0.0 for flight in flown["5"])
    return ordering(
        "hover-camera-altitude", "section 7.3, figures 7.4.b and 7.5.b",
        "hovering without depth control: rms altitude error by the top view and by the camera only",
        "the camera was somewhat helpful in limiting the depth variation",
        compared(flown["4"], flown["5"], lambda flight: flight.measures["altitude_error_rms_m"]),
        ("royer-pilot-example",),
        "The spot shows the depth finer than figures with one digit after the point, but only while it is in the "
        f"picture: {lost} of {len(flown['5'])} attempts lose it. With the top view the author had the camera too; the "
        "pilot of the model flies by one of them.",
    )  # fmt: skip


def depth_rows(flown: Flown) -> list[Claim]:
    """7.2, the control itself."""
    perfect = max(float(np.abs(flight.curve["altitude_error_m"]).max()) for flight in flown["6"])
    real = flown["6r"][0].measures["altitude_error_rms_m"]
    return [
        bound(
            "depth-perfect", "sections 6.3 and 7.2", "largest altitude error under the depth control that assigns "
            "numbers",
            "below", 1e-9, perfect, "m", why="'perfect depth control': rounding alone is left",
            proof=Proof(code=("pelagos.control.pilot.numerical_hold",),
                        tests=("tests/control/pilot/test_numerical_hold.py",)),
        ),
        statement(
            "depth-real", "section 7.2", "rms altitude error, hovering, with a depth control by the thrusters",
            "a real control will perform less well", f"{real:.3f} m against 0", real > perfect,
            why="any error is more than none; the control is Pelagos's autopilot, gains from the model",
            assumption="the autopilot in place of the controller that the thesis announces", numbers={"ours": real},
            unit="m", proof=Proof(code=("pelagos.control.pilot.helm", "pelagos.control.autopilot.autopilot")),
        ),
    ]  # fmt: skip


def _not_drastic(key: str, place: str, what: str, found: Comparison, figure: str) -> Claim:
    return statement(
        key, place, f"{what} with a current of 1 m/s and without", "the average distances do not change drastically",
        found.words(), 1.0 / DRASTIC < found.ratio < DRASTIC, tolerance=f"medians within a factor {DRASTIC:g}",
        why="no number is printed; a factor of two would be drastic", assumption=PILOT, numbers=found.numbers(),
        unit="m",
        proof=Proof(code=CODE, tests=TESTS, figures=(figure,)),
    )  # fmt: skip
