"""The command line of the benchmarks: `python -m benchmarks`, which `pelagos bench` runs in a clone."""

from __future__ import annotations

import argparse

from benchmarks import bench

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="measure the speed of Pelagos on this machine"
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    bench.main(json=parser.parse_args().json)
