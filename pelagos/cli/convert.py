"""`pelagos convert`: logs as MCAP files, for Foxglove and the tools of ROS."""

from __future__ import annotations

import argparse
from collections.abc import Callable

CONVERT_EXAMPLES = """\
examples:
  pelagos convert first-dive.csv first-dive.mcap       a log: motion, frames, thrusters, instruments, events
  pelagos convert survey.parquet survey.mcap
  pelagos convert cut-short.mcap whole.mcap            what a killed recording left, as a whole file

Open the file in Foxglove, or with anything that reads ROS 2 bags. Axes become those of ROS: map is east-north-up,
base_link forward-left-up. A recording made while it flies has more: pelagos fly --mcap FILE. See docs/foxglove.md.
"""
Add = Callable[..., argparse.ArgumentParser]


def add_convert(add: Add) -> None:
    """Put `pelagos convert` into the parser."""
    convert_ = add("convert", convert, "turn a log into an MCAP file with messages of ROS 2", CONVERT_EXAMPLES)
    convert_.add_argument("log", metavar="LOG", help=".csv, .parquet or .npz of a run, or an .mcap that was cut short")
    convert_.add_argument("out", metavar="OUT.mcap", help="a new file")


def convert(arguments: argparse.Namespace) -> int:
    """Write the file and say what is in it."""
    from pelagos.links.ros.mcap import convert as write

    n = write(arguments.log, arguments.out)
    print(f"{arguments.out}: {n} messages")
    return 0
