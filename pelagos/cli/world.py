"""`pelagos world` describes and draws a world; `pelagos seabed` reads a bottom profile from a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from pelagos.cli.options import Add, print_library

WORLD_EXAMPLES = """\
examples:
  pelagos world                                the worlds that come with Pelagos
  pelagos world royer_field                    its contents, and royer_field.png: plan and section
  pelagos world my_harbour.toml -o harbour.svg --section-to-deg 90
  pelagos run bluerov2_heavy --world harbour   fly there

The plan is seen from above, north up. The section is a cut along the line drawn in the plan.
"""

SEABED_EXAMPLES = """\
examples:
  pelagos seabed bottom.jpg -o bottom.txt
  pelagos seabed bottom.png -o bottom.txt --metres-per-pixel 0.5 --depth-per-pixel-m 0.25

The picture is white with one dark line from the left edge to the right; its top is the surface. JPEG noise and gaps in
the line are bridged. In a world file:  [seabed]  kind = "profile"  file = "bottom.txt"
"""


def add_commands(add: Add) -> None:
    """Add `pelagos world` and `pelagos seabed` to the parser."""
    shown = add("world", world, "describe a world and draw it: plan and section", WORLD_EXAMPLES)
    shown.add_argument("name", nargs="?", help="library world or .toml file; without it: the list")
    shown.add_argument("--list", action="store_true", help="the worlds that come with Pelagos")
    shown.add_argument("-o", "--out", metavar="FILE", help="figure to write (.png .svg .pdf); default NAME.png")
    shown.add_argument("--no-figure", action="store_true", help="text only")
    shown.add_argument("--section-to-deg", type=float, metavar="X", help="direction of the section, from north")

    read = add("seabed", seabed, "read a bottom profile from a white picture with a dark line", SEABED_EXAMPLES)
    read.add_argument("image", help="JPEG or PNG")
    read.add_argument("-o", "--out", metavar="FILE", default="bottom.txt", help="file to write, default bottom.txt")
    for flag, text in (
        ("--metres-per-pixel", "along the bottom, default 1"),
        ("--depth-per-pixel-m", "downwards, default 1"),
    ):
        read.add_argument(flag, type=float, default=1.0, metavar="X", help=text)


def world(arguments: argparse.Namespace) -> int:
    """Describe and draw one world, or list all."""
    if arguments.list or not arguments.name:
        from pelagos.files.library import WORLDS

        return print_library(WORLDS)
    from pelagos.errors import MissingExtraError
    from pelagos.world.describe import describe_world
    from pelagos.world.load import load_world

    sea = load_world(arguments.name)
    print(describe_world(sea))
    if arguments.no_figure:
        return 0
    from pelagos.analysis.world.view import draw_world

    path = arguments.out or f"{Path(arguments.name).name.removesuffix('.toml')}.png"
    try:
        draw_world(sea, path, section_to_deg=arguments.section_to_deg)
        print(f"\n  figure  {path}")
    except MissingExtraError as error:
        print(f"\n  figure  none: {error}")
    return 0


def seabed(arguments: argparse.Namespace) -> int:
    """Write a bottom file from a picture."""
    from pelagos.world.seabed.profile import bottom_from_image, write_bottom

    profile = bottom_from_image(
        arguments.image,
        metres_per_pixel=arguments.metres_per_pixel,
        depth_per_pixel_m=arguments.depth_per_pixel_m,
    )
    write_bottom(arguments.out, profile)
    distance, depth = profile.distance_m, profile.depth_m
    print(f"  columns  {len(depth)}, {distance[-1] - distance[0]:g} m long")
    print(f"  gaps     {f'{profile.gaps} columns bridged' if profile.gaps else 'none'}")
    print(f"  depth    {min(depth):g} to {max(depth):g} m")
    print(f"  file     {arguments.out}")
    return 0
