"""Moving pictures: the still part of a figure is drawn once, what moves is drawn over it, frame by frame.

GIF by pillow; MP4 by ffmpeg, that of the package imageio-ffmpeg or one on the path. Both take the same frames.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import MissingExtraError
from pelagos.sim.log.log import LogError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Frame = NDArray[np.uint8]
COLOURS = 64  # of a GIF: few enough to be small, enough for smooth edges


def frames(
    figure: Figure, moving: Sequence[Any], update: Callable[[int], None], indices: Iterable[int], dpi: float = 100.0
) -> Iterator[Frame]:
    """Pictures (height, width, 3), one for each index.

    Args:
        figure: with all its artists; its layout is settled by the first drawing and then kept.
        moving: the artists that `update` changes.
        update: puts the artists where they are at an index.
        indices: which instants to draw.
        dpi: pixels per inch; sizes come out even, as video wants them.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    width, height = figure.get_size_inches()
    figure.set_dpi(dpi)
    figure.set_size_inches(2 * round(width * dpi / 2) / dpi, 2 * round(height * dpi / 2) / dpi)
    canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for artist in moving:
        artist.set_animated(True)
    canvas.draw()
    # both methods of the Agg canvas are missing in its stub
    still = canvas.copy_from_bbox(figure.bbox)  # type: ignore[attr-defined]
    ordered = sorted(moving, key=lambda artist: float(artist.get_zorder()))
    for index in indices:
        update(index)
        canvas.restore_region(still)  # type: ignore[attr-defined]
        for artist in ordered:
            owner = artist.axes if artist.axes is not None else figure
            owner.draw_artist(artist)
        yield np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
    for artist in moving:
        artist.set_animated(False)


def write_gif(pictures: Sequence[Frame], path: str, rate_hz: float = 12.0) -> None:
    """Write frames as a GIF that repeats."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "writing a GIF", "plot") from None
    images = [Image.fromarray(picture) for picture in pictures]
    palette = images[-1].quantize(COLOURS)  # one palette for all: still parts stay equal and pack well
    first, *rest = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images)
    try:
        # equal frames are kept: a frame is an instant
        first.save(path, save_all=True, append_images=rest, duration=round(1000.0 / rate_hz), loop=0, optimize=False)
    except OSError as problem:
        raise LogError(f"the film cannot be written ({problem})", file=path) from None


def ffmpeg() -> str:
    """The ffmpeg to use: of imageio-ffmpeg, else on the path; empty if there is none."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe  # type: ignore[import-not-found]  # an extra

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return shutil.which("ffmpeg") or ""


def write_mp4(pictures: Sequence[Frame], path: str, rate_hz: float = 12.0) -> None:
    """Write frames as H.264 in MP4, playable in browsers and office programs."""
    program = ffmpeg()
    if not program:
        raise MissingExtraError("imageio-ffmpeg", "writing an MP4", "plot")
    height, width, _ = pictures[0].shape
    order = [
        program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}",
        "-r", f"{rate_hz:g}", "-i", "-", "-an", "-c:v", "libx264", "-crf", "23", "-pix_fmt", "yuv420p",
        "-movflags", "+faststart", path,
    ]  # fmt: skip
    done = subprocess.run(order, input=b"".join(p.tobytes() for p in pictures), capture_output=True, check=False)
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().splitlines()
        raise LogError(f"the film cannot be written ({(why[-1] if why else 'ffmpeg failed')})", file=path)
