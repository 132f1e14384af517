"""A robot that looks before it turns: of eleven rudder angles it takes the one that will bring its bow nearest.

Every two seconds the robot asks the model on board, `pelagos.Predictor`, where each angle would leave its heading six
seconds on. It is Brutzman's "on-board hydrodynamics response predictor" (chapter 6 J): the same equations that are the
sea here. What the robot does not know, a current that sets to the east, it finds out as robots do: from its own motion.
Writes choose_rudder.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos

WISH_DEG, LOOK_S, ACT_S = 60.0, 6.0, 2.0
AHEAD = {"port_screw_rpm": 400.0, "starboard_screw_rpm": 400.0}
ANGLES = np.arange(-20.0, 21.0, 4.0)


def short_way(degrees: np.ndarray | float) -> np.ndarray:
    """An angle between -180 and 180 deg."""
    return (np.asarray(degrees) + 180.0) % 360.0 - 180.0


def orders(rudder_deg: float) -> dict[str, float]:
    """Both screws ahead; the bow rudders go against the stern ones, which turns the Phoenix."""
    return {**AHEAD, "bow_rudders_deg": -rudder_deg, "stern_rudders_deg": rudder_deg}


def foresee(robot: pelagos.Predictor, state: pelagos.VehicleState) -> np.ndarray:
    """Heading that each angle would lead to, deg."""
    futures = robot.predict_many(
        state, [orders(angle) for angle in ANGLES], LOOK_S, every_s=1.0, current_n=robot.current_of(state)
    )
    return np.array([future["heading_deg"][-1] for future in futures])


def main(folder: str | Path = ".") -> tuple[pelagos.Log, np.ndarray]:
    """Turn to the wish, print what was thought each time; the log, and by how much the thoughts were wrong, deg."""
    robot = pelagos.Predictor("phoenix", step_s=0.1)  # on board: it knows the vehicle, not the sea; longer steps
    sea = pelagos.Simulation("phoenix", pelagos.World(current_m_s=0.2, current_to_deg=90.0))
    sea.place(depth_m=10.0, surge_m_s=0.5)
    thoughts: list[tuple[float, float, float]] = []
    logs: list[pelagos.Log] = []
    print(f"wish {WISH_DEG:g} deg; heading {LOOK_S:g} s ahead for each rudder angle")
    print("  time  heading |" + "".join(f"{angle:6.0f}" for angle in ANGLES) + " | chosen")
    for _ in range(15):
        state = sea.state()
        ahead = foresee(robot, state)
        chosen = int(np.argmin(np.abs(short_way(ahead - WISH_DEG))))
        thoughts.append((sea.time_s + LOOK_S, float(ahead[chosen]), float(ANGLES[chosen])))
        row = "".join(f"{heading:6.1f}" for heading in short_way(ahead))
        print(f"{sea.time_s:6.1f} {short_way(np.degrees(state.yaw)):8.1f} |{row} | {ANGLES[chosen]:6.0f}")
        commands = orders(float(ANGLES[chosen]))
        sea.thrust(None, **{name: rpm for name, rpm in commands.items() if name.endswith("_rpm")})
        sea.deflect(None, **{name: deg for name, deg in commands.items() if name.endswith("_deg")})
        logs.append(sea.run(ACT_S))
    time_s = np.concatenate([logs[0].time_s[:1], *(log.time_s[1:] for log in logs)])
    heading = np.concatenate([logs[0]["heading_deg"][:1], *(log["heading_deg"][1:] for log in logs)])
    reached = f"after {time_s[-1]:g} s the bow is at {heading[-1]:.1f} deg"
    print(f"{reached}, {abs(short_way(heading[-1] - WISH_DEG)):.1f} deg from the wish")
    # a thought that was acted upon for as long as it looked ahead can be compared with what came
    kept = [k for k in range(len(thoughts) - 2) if thoughts[k][2] == thoughts[k + 1][2] == thoughts[k + 2][2]]
    wrong = np.array([short_way(np.interp(thoughts[k][0], time_s, heading) - thoughts[k][1]) for k in kept])
    print(f"{len(kept)} thoughts that were kept to were wrong by at most {np.abs(wrong).max():.2g} deg")
    draw(time_s, heading, thoughts, Path(folder) / "choose_rudder.png")
    return logs[-1], wrong


def draw(time_s: np.ndarray, heading: np.ndarray, thoughts: list[tuple[float, float, float]], path: Path) -> None:
    """The heading that came, the headings that were foreseen, the rudder."""
    import matplotlib
    from matplotlib.figure import Figure

    from pelagos.analysis.plots import PALETTE, STYLE

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 4.6), layout="constrained")
        upper, lower = figure.subplots(2, 1, sharex=True)
        upper.plot(time_s, heading, color=PALETTE[0], label="came")
        at, foreseen, angle = np.array(thoughts).T
        upper.plot(at, foreseen, "o", markersize=4, color=PALETTE[1], label=f"foreseen {LOOK_S:g} s before")
        upper.axhline(WISH_DEG, linestyle="--", linewidth=0.8, color="0.4", label="wish")
        upper.set(title="Phoenix chooses its rudder", ylabel="heading [deg]")
        upper.legend(loc="lower right")
        lower.step(at - LOOK_S, angle, where="post", color=PALETTE[2])
        lower.set(xlabel="time [s]", ylabel="stern rudders [deg]")
        figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
