"""Height maps from arrays and pictures: orientation, and holes."""

import os
import struct
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

from pelagos.errors import MissingExtraError, ScenarioError
from pelagos.world.seabed.bathymetry import nearest_filled
from pelagos.world.seabed.seabed import Seabed, seabed_from_array

DEPTHS = np.array([[10.0, 11.0, 12.0], [20.0, 21.0, 22.0], [30.0, 31.0, 32.5], [40.0, 41.0, 42.0]])


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".txt"])
def test_arrays_from_files(tmp_path, suffix):
    file = str(tmp_path / f"map{suffix}")
    if suffix == ".npy":
        np.save(file, DEPTHS)
    else:
        np.savetxt(file, DEPTHS, delimiter="," if suffix == ".csv" else " ", header="depths, m")
    bottom = Seabed(kind="grid", file=file, spacing_m=2.0, origin_m=(-4.0, 8.0))
    np.testing.assert_array_equal(bottom.map.z_m, DEPTHS)
    assert bottom.z(-2.0, 12.0) == 22.0
    up = Seabed(kind="grid", file=file, spacing_m=2.0, positive="up")
    np.testing.assert_array_equal(up.map.z_m, -DEPTHS)


@pytest.mark.parametrize(("bits", "steps"), [(16, 65535), (8, 255)])
def test_pictures_have_north_on_top_and_white_shallow(tmp_path, bits, steps):
    grey = (DEPTHS - 5.0) / 45.0 * steps  # black at 50 m would be 0, so turn it
    pixels = np.rint(steps - grey).astype(np.uint16 if bits == 16 else np.uint8)
    Image.fromarray(pixels).save(tmp_path / "map.png")
    keys = {"kind": "grid", "file": str(tmp_path / "map.png"), "spacing_m": 1.0}
    bottom = Seabed(**keys, shallowest_m=5.0, deepest_m=50.0)
    np.testing.assert_allclose(bottom.map.z_m, DEPTHS[::-1], atol=45.0 / steps / 2.0 * 1.001)  # half a grey level
    with pytest.raises(ScenarioError, match=r"seabed: shallowest_m: is missing"):
        Seabed(**keys, deepest_m=50.0)
    Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save(tmp_path / "map.png")
    with pytest.raises(ScenarioError, match="is a picture of mode RGB; expected a grey one"):
        Seabed(**keys, shallowest_m=5.0, deepest_m=50.0)


def test_holes_are_counted_and_placed_or_filled(tmp_path):
    holed = DEPTHS.copy()
    holed[1, 2] = holed[3, 0] = np.nan
    with pytest.raises(ScenarioError, match=r"2 holes in 12 depths, the first at north 7 m, east 9 m; fill"):
        seabed_from_array(holed, spacing_m=2.0, origin_m=(5.0, 5.0))
    np.savetxt(tmp_path / "map.csv", DEPTHS, delimiter=",")
    text = (tmp_path / "map.csv").read_text().splitlines()
    text[2] = text[2].replace(text[2].split(",")[1], "")
    (tmp_path / "map.csv").write_text("\n".join(text))
    with pytest.raises(ScenarioError, match=r'seabed: file = "map.csv": has 1 holes in 12 depths'):
        Seabed(kind="grid", file=str(tmp_path / "map.csv"), spacing_m=1.0)
    bottom = Seabed(kind="grid", depths_m=tuple(map(tuple, holed)), spacing_m=1.0, spacing_east_m=0.5, fill="nearest")
    assert bottom.map.z_m[1, 2] == 21.0  # its neighbour to the west is nearer than those north and south
    assert bottom.map.z_m[3, 0] == 41.0
    with pytest.raises(ScenarioError, match="holds no depths at all"):
        seabed_from_array(np.full((3, 3), np.nan), spacing_m=1.0)


def test_filling_against_every_distance():
    rng = np.random.default_rng(4)
    z = rng.uniform(10.0, 50.0, (40, 33))
    z[rng.uniform(size=z.shape) < 0.8] = np.nan
    filled = nearest_filled(z, (2.0, 1.0))
    known = np.argwhere(np.isfinite(z))
    wrong = 0
    for row, column in np.argwhere(np.isnan(z)):
        far = np.hypot((known[:, 0] - row) * 2.0, known[:, 1] - column)
        nearest = z[tuple(known[far <= far.min() + 1e-9].T)]
        wrong += filled[row, column] not in nearest
    assert wrong <= 5  # jump flooding errs for less than 1 % of the nodes
    assert (filled[np.isfinite(z)] == z[np.isfinite(z)]).all()


def test_coordinates_of_nowhere(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    keys = (1, 1, 0, 2, 1024, 0, 1, 2, 1025, 0, 1, 1)  # degrees
    tie = (0.0, 0.0, 0.0, 1.7e308, 60.0, 0.0)
    tags = [(33550, "d", 3, (0.001, 0.001, 0.0), True), (33922, "d", 6, tie, True), (34735, "H", 12, keys, True)]
    tifffile.imwrite(tmp_path / "map.tif", np.full((3, 3), -20.0, "f4"), extratags=tags)
    with pytest.raises(ScenarioError, match="has coordinates beyond 1e"):
        Seabed(kind="grid", file=str(tmp_path / "map.tif"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("map.npy", b"nonsense", "holds no array of numbers"),
        ("map.csv", b"1,2\n3,deep\n", "holds no array of numbers"),
        ("map.csv", b"1,2\n3,4,5\n", "has rows of different lengths"),
        ("map.png", b"nonsense", "is no picture that can be read"),
        ("map.xyz", b"1 2 3", "is none of the kinds"),
        ("map.tif", b"nonsense", "is no TIFF file"),
        ("map.nc", b"nonsense", "is not a NetCDF file"),
    ],
)
def test_bad_files(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    extra = {"shallowest_m": 1.0, "deepest_m": 2.0} if name.endswith("png") else {}
    with pytest.raises(ScenarioError, match=f'seabed: file = "{name}": {message}'):
        Seabed(kind="grid", file=str(tmp_path / name), spacing_m=1.0, **extra)


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [("map.png", "PIL", "pillow"), ("map.tif", "tifffile", "tifffile"), ("map.nc", "xarray", "xarray")],
)
def test_packages_that_are_missing_are_named(tmp_path, monkeypatch, name, module, package):
    (tmp_path / name).write_bytes(b"")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=f'needs the package {package}; install it with pip install "\\.'):
        Seabed(kind="grid", file=str(tmp_path / name))


def test_files_that_claim_to_be_huge_are_refused_before_they_are_read(tmp_path):
    """A PNG of 60000 by 60000 pixels in 33 bytes, and an array of 10^15 numbers in 128."""
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + head
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    (tmp_path / "bomb.png").write_bytes(png + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT")))
    np.save(tmp_path / "small.npy", np.zeros((100, 100)))
    claim = (tmp_path / "small.npy").read_bytes().replace(b"(100, 100), }  ", b"(10**7, 9**9)} ")
    (tmp_path / "claim.npy").write_bytes(claim)
    for name, message in (("bomb.png", "has more pixels than 80000000"), ("claim.npy", "no array")):
        with pytest.raises(ScenarioError, match=message):
            Seabed(kind="grid", file=str(tmp_path / name), spacing_m=1.0, shallowest_m=1.0, deepest_m=2.0)
    with pytest.raises(ScenarioError, match="is a pipe, a socket or a device"):
        os.mkfifo(tmp_path / "pipe.npy")
        Seabed(kind="grid", file=str(tmp_path / "pipe.npy"), spacing_m=1.0)
