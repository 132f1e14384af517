"""Draw docs/images/currents.png: a profile, a tide, gusts and a gridded field, sampled from the kernel."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
import xarray
from matplotlib import pyplot as plt

from pelagos.world.current.kinds import CurrentField, GaussMarkov, PowerLaw, Profile, Tidal, Turbulence, velocity_at

OUT = Path(__file__).parents[2] / "docs" / "images" / "currents.png"
BLUE, ORANGE, GREY = "#1f5f99", "#d9772b", "0.45"


def draw_profiles(axes: Any) -> None:
    """Speed over depth: a table and a boundary layer."""
    depth = np.linspace(0.0, 40.0, 400)
    places = np.column_stack([0 * depth, 0 * depth, depth])
    rows = ((0.0, 0.60, 90.0), (8.0, 0.45, 100.0), (15.0, 0.20, 140.0), (40.0, 0.05, 180.0))
    table = velocity_at([Profile(rows=rows)], places, 0.0)
    law = velocity_at([PowerLaw(speed_m_s=0.5, to_deg=90.0, bottom_m=40.0)], places, 0.0)
    axes.plot(table[:, 1], depth, color=BLUE, label="profile, to the east")
    axes.plot(table[:, 0], depth, color=BLUE, ls="--", label="profile, to the north")
    axes.plot([r[1] * np.sin(np.radians(r[2])) for r in rows], [r[0] for r in rows], "o", ms=4, color=BLUE)
    axes.plot(law[:, 1], depth, color=ORANGE, label="power law 1/7, to the east")
    axes.set(xlabel="velocity, m/s", ylabel="depth, m", title="over depth", ylim=(40.5, 0.0), xlim=(-0.22, 1.42))
    axes.legend(loc="center right")


def draw_tide(axes: Any) -> None:
    """Hodograph of two constituents from neaps to springs."""
    m2 = Tidal(speed_m_s=0.8, to_deg=35.0, minor_m_s=0.2)
    s2 = Tidal(speed_m_s=0.25, to_deg=40.0, period_h=12.0, phase_deg=180.0)
    hours = np.linspace(0.0, 177.2, 3000)
    for currents, color, label in (((m2, s2), BLUE, "M2 and S2, 7.4 days"), ((m2,), ORANGE, "M2")):
        velocity = velocity_at(currents, (0.0, 0.0, 5.0), 3600.0 * hours)
        axes.plot(velocity[:, 1], velocity[:, 0], color=color, lw=0.7 if len(currents) > 1 else 1.8, label=label)
    axes.axhline(0.0, color=GREY, lw=0.5)
    axes.axvline(0.0, color=GREY, lw=0.5)
    axes.set(xlabel="east, m/s", ylabel="north, m/s", title="tide", aspect="equal", xlim=(-1.2, 1.2), ylim=(-1.2, 1.4))
    axes.legend(loc="upper left")


def draw_gusts(axes: Any) -> None:
    """Two minutes of a Gauss-Markov current and of turbulence."""
    time = np.linspace(0.0, 120.0, 2400)
    slow = GaussMarkov(speed_m_s=0.5, sigma_m_s=0.08, time_constant_s=40.0, seed=4)
    fast = Turbulence(sigma_m_s=0.06, length_scale_m=3.0, mean_speed_m_s=0.5, seed=2)
    both = velocity_at([slow, fast], (0.0, 0.0, 5.0), time)[:, 0]
    axes.plot(time, both, color=BLUE, lw=0.7, label="with turbulence, L = 3 m")
    axes.plot(time, velocity_at([slow], (0.0, 0.0, 5.0), time)[:, 0], color=ORANGE, label="Gauss-Markov, T = 40 s")
    axes.set(xlabel="time, s", ylabel="velocity to the north, m/s", title="gusts", xlim=(0, 120), ylim=(0.3, 0.8))
    axes.legend(loc="upper right")


def eddy(folder: Path) -> CurrentField:
    """A file with an eddy of 2 km on a 400 m grid in metres."""
    x = np.arange(-2400.0, 2401.0, 400.0)
    east, north = np.meshgrid(x, x)
    size = 0.6 * np.exp(0.5 - 0.5 * (east**2 + north**2) / 900.0**2) / 900.0
    u, v = -size * north + 0.1, size * east
    name = "{}ward_sea_water_velocity"
    data = {
        "u": (("y", "x"), u, {"units": "m s-1", "standard_name": name.format("east")}),
        "v": (("y", "x"), v, {"units": "m s-1", "standard_name": name.format("north")}),
    }
    coords = {"x": ("x", x, {"units": "m"}), "y": ("y", x, {"units": "m"})}
    path = folder / "eddy.nc"
    xarray.Dataset(data, coords).to_netcdf(path, engine="h5netcdf")
    return CurrentField(file=str(path))


def draw_field(axes: Any) -> None:
    """The speed between the nodes and arrows at them."""
    with tempfile.TemporaryDirectory() as folder:
        field = eddy(Path(folder))
        fine = np.linspace(-2.4e3, 2.4e3, 121)
        east, north = np.meshgrid(fine, fine)
        places = np.column_stack([north.ravel(), east.ravel(), np.full(east.size, 5.0)])
        speed = np.linalg.norm(velocity_at([field], places, 0.0), axis=1).reshape(east.shape)
        nodes = np.arange(-2400.0, 2401.0, 400.0)
        e, n = (part.ravel() for part in np.meshgrid(nodes, nodes))
        at = velocity_at([field], np.column_stack([n, e, np.full(e.size, 5.0)]), 0.0)
    picture = axes.pcolormesh(fine / 1e3, fine / 1e3, speed, cmap="Blues", shading="nearest", rasterized=True)
    axes.quiver(e / 1e3, n / 1e3, at[:, 1], at[:, 0], scale=9.0, width=0.004, color="0.15")
    axes.set(xlabel="east, km", ylabel="north, km", title="gridded field", aspect="equal")
    axes.figure.colorbar(picture, ax=axes, label="speed, m/s", shrink=0.85)


def main() -> None:
    """Draw and save."""
    plt.rcParams.update({"font.size": 8, "legend.fontsize": 7, "legend.frameon": False, "axes.titlesize": 9})
    figure, axes = plt.subplots(2, 2, figsize=(8.0, 6.4), layout="constrained")
    draw_profiles(axes[0, 0])
    draw_tide(axes[0, 1])
    draw_gusts(axes[1, 0])
    draw_field(axes[1, 1])
    OUT.parent.mkdir(exist_ok=True)
    figure.savefig(OUT, dpi=100)


if __name__ == "__main__":
    main()
