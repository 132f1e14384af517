"""`pelagos convert`: convert a log to an MCAP file for Foxglove and ROS 2 tools."""

from __future__ import annotations

import argparse

from pelagos.cli.options import Add

CONVERT_EXAMPLES = """\
examples:
  pelagos convert first-dive.csv first-dive.mcap       a log: motion, frames, thrusters, instruments, events
  pelagos convert survey.parquet survey.mcap
  pelagos convert cut-short.mcap whole.mcap            repair an interrupted recording

Open the file in Foxglove, or with anything that reads ROS 2 bags. Axes become those of ROS: map is east-north-up,
base_link forward-left-up. A recording made while it flies has more: pelagos fly --mcap FILE. See docs/foxglove.md.
"""


def add_convert(add: Add) -> None:
    """Add `pelagos convert` to the parser."""
    convert_ = add("convert", convert, "convert a log to an MCAP file of ROS 2 messages", CONVERT_EXAMPLES)
    convert_.add_argument("log", metavar="LOG", help=".csv, .parquet or .npz of a run, or an .mcap that was cut short")
    convert_.add_argument("out", metavar="OUT.mcap", help="a new file")


def convert(arguments: argparse.Namespace) -> int:
    """Write the file and print the number of messages."""
    from pelagos.links.ros.mcap import convert as write

    n = write(arguments.log, arguments.out)
    print(f"{arguments.out}: {n} messages")
    return 0
