"""Summarise a run as text: final state, setpoint errors, contacts, events and mean forces."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pelagos.analysis.pages.tether import tether_summary
from pelagos.errors import escaped
from pelagos.sim.log.log import Array, ForceTable, Log, LogError

TAIL_S = 10.0  # setpoint errors are taken over the last seconds of the run
SURFACED_M = -0.1  # a depth above this is out of the water: a floating hull bobs by less
SETPOINTS = ("depth_m", "heading_deg", "speed_m_s")
SHOWN_EVENTS = ("collision", "fault", "fault_over", "not_held", "saturated", "timeout", "mission_done")  # kinds
MOST_EVENTS = 12  # lines of events at most, so that the summary stays short
VEHICLE = -3  # `contact_with` of another vehicle


def summarise(log: Log, setpoints: Mapping[str, float | None] | None = None, *, mean_forces: bool = True) -> str:
    """Return the summary of a run as text for a terminal.

    Args:
        log: the run.
        setpoints: values such as {"depth_m": 5.0}; columns of the log such as `cmd_depth_m` take precedence.
        mean_forces: add a table of the mean force of each term, if the log has forces.
    """
    if not len(log):
        raise LogError("the log is empty, there is nothing to sum up")
    end = float(log.time_s[-1])
    tail = log.between(end - min(TAIL_S, end / 2.0), end)
    span = f"{tail.time_s[0]:.4g} to {end:.4g} s"
    lines = [f"{log.meta.get('vehicle_name', log.meta.get('vehicle', 'vehicle'))}, {end:.4g} s", ""]
    lines += [f"  {'':<16}{'setpoint':>10}{'mean':>10}{'worst off':>11}   over {span}"]
    for name in SETPOINTS:
        lines.append(_setpoint_line(tail, name, (setpoints or {}).get(name)))
    lines += _altitude_and_position(tail)
    roll, pitch = np.abs(log["roll_deg"]).max(), np.abs(log["pitch_deg"]).max()
    track = np.hypot(np.diff(log["north_m"]), np.diff(log["east_m"])).sum()
    lines += [
        "",
        f"  distance over ground {track:.2f} m, deepest {log['depth_m'].max():.2f} m, "
        f"ended {log['north_m'][-1]:.2f} m north, {log['east_m'][-1]:.2f} m east of the origin",
        f"  largest roll {roll:.1f} deg, largest pitch {pitch:.1f} deg",
    ]
    lines += ["  " + line for line in (*_surface_and_contacts(log), *tether_summary(log))]
    lines += ["  " + line for line in _event_lines(log)]
    if mean_forces and len(log.forces):
        lines += ["", f"  mean force of each term on the body, {span}:"]
        mean = tail.forces.mean()
        acting = {term: mean[term] for term in log.forces if log.forces[term].any()}  # a ROV has no fins
        lines += ["  " + line for line in str(ForceTable(acting)).splitlines()]
    return "\n".join(lines)


def _surface_and_contacts(log: Log) -> list[str]:
    """Return lines on surfacing and on the first contact with each object."""
    lines: list[str] = []
    if log.meta.get("surface") == "submerged" and (log["depth_m"] < SURFACED_M).any():
        t = log.time_s[np.argmax(log["depth_m"] < SURFACED_M)]
        lines.append(f"left the water at t = {t:.1f} s: its file gives no hull shape, so that it does not float")
    elif "wet_share" in log and (log["wet_share"][1:] < 0.99).any():
        share = log["wet_share"]
        lines.append(f"at the surface {100.0 * float((share < 0.99).mean()):.0f} % of the time")
    if "contact_with" not in log:
        return lines
    names = str(log.meta.get("structures", "")).split(", ")
    touched = log["contact_with"]
    for contact in sorted({int(value) for value in touched[np.isfinite(touched)]}):
        when = touched == contact
        if contact < 0:
            name = "another vehicle" if contact == VEHICLE else "the seabed"
        else:
            name = names[contact] if contact < len(names) else f"structure {contact}"
        force = float(log["contact_N"][when].max())
        lines.append(f"touched {name} first at t = {log.time_s[np.argmax(when)]:.1f} s, with up to {force:.3g} N")
    return lines


def _event_lines(log: Log) -> list[str]:
    """Return a line for each event of SHOWN_EVENTS, at most MOST_EVENTS lines."""
    events = [event for event in log.events if event.kind in SHOWN_EVENTS]
    shown = events if len(events) <= MOST_EVENTS else events[: MOST_EVENTS - 1]
    lines = [f"t = {event.time_s:.1f} s: {escaped(event.text)}" for event in shown]
    return lines if len(shown) == len(events) else [*lines, f"and {len(events) - len(shown)} more"]


def _altitude_and_position(tail: Log) -> list[str]:
    """Return lines for altitude and position, where the vehicle held them."""
    lines: list[str] = []
    setpoint = tail["cmd_altitude_m"] if "cmd_altitude_m" in tail else np.full(len(tail), np.nan)
    held = np.isfinite(setpoint)
    if held.any():
        held &= np.isfinite(tail["altitude_m"])
        label, last = "altitude, m", float(setpoint[np.isfinite(setpoint)][-1])
        if held.any():
            altitude = tail["altitude_m"][held]
            worst = np.abs(altitude - setpoint[held]).max()
            lines.append(f"  {label:<16}{last:>10.3f}{altitude.mean():>10.3f}{worst:>11.3f}")
        else:
            lines.append(f"  {label:<16}{last:>10.3f}{'-':>10}{'-':>11}")
    if "cmd_north_m" in tail and "cmd_east_m" in tail:
        off = np.hypot(tail["north_m"] - tail["cmd_north_m"], tail["east_m"] - tail["cmd_east_m"])
        off = off[np.isfinite(off)]
        if len(off):
            lines.append(f"  {'off its place, m':<16}{0.0:>10.3f}{off.mean():>10.3f}{off.max():>11.3f}")
    return lines


def speed_through_water(log: Log) -> Array:
    """Return the forward speed relative to the water, m/s: surge minus the current along the body x axis."""
    heading, pitch = np.radians(log["heading_deg"]), np.radians(log["pitch_deg"])
    level = np.cos(pitch) * (log["current_north_m_s"] * np.cos(heading) + log["current_east_m_s"] * np.sin(heading))
    return log["surge_m_s"] - level + np.sin(pitch) * log["current_down_m_s"]


def _setpoint_line(tail: Log, name: str, default: float | None) -> str:
    """Return a line with setpoint, mean and largest error of one quantity; angles differ by at most half a turn."""
    values = speed_through_water(tail) if name == "speed_m_s" else tail[name]
    setpoint = float(tail[f"cmd_{name}"][-1]) if f"cmd_{name}" in tail else np.nan if default is None else default
    label = {"depth_m": "depth, m", "heading_deg": "heading, deg", "speed_m_s": "speed, m/s"}[name]
    if name == "heading_deg":
        values = np.unwrap(values, period=360.0)
    if not np.isfinite(setpoint):
        mean = round(float(values.mean()), 3)
        mean = mean % 360.0 if name == "heading_deg" else mean  # rounded first: 359.9999 prints as 0
        return f"  {label:<16}{'-':>10}{mean + 0.0:>10.3f}{'-':>11}"
    error = values - setpoint
    if name == "heading_deg":
        error = (error + 180.0) % 360.0 - 180.0
    return f"  {label:<16}{setpoint:>10.3f}{setpoint + error.mean():>10.3f}{np.abs(error).max():>11.3f}"
