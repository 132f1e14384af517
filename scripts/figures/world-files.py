"""Draw the picture of docs/world-files.md: Royer's field as `pelagos world royer_field` draws it.

python scripts/figures/world-files.py
"""

from pathlib import Path

from pelagos.analysis.world.view import draw_world
from pelagos.world.load import load_world

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "world-files.png"

if __name__ == "__main__":
    draw_world(load_world("royer_field"), PICTURE)
    print(PICTURE)
