"""The report is one file: it parses, needs no network, shows every page, and a browser renders it."""

import base64
import io
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest

from pelagos.analysis.pages.pages import pages
from pelagos.analysis.report import MOST_BYTES, SHEET, report, write_report
from pelagos.errors import MissingExtraError, PelagosError
from pelagos.sim.log.log import Log
from tests.analysis.measured import measured_log

pytestmark = pytest.mark.slow  # the module makes its reports or runs every part once

pytest.importorskip("matplotlib")
Image = pytest.importorskip("PIL.Image")
VOID = {"meta", "img", "br", "link", "hr", "input"}


class Page(HTMLParser):
    """Checks that tags close in order, and keeps what refers to something else."""

    def __init__(self, text):
        super().__init__()
        self.open, self.refers, self.images, self.ids, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.refers += [attributes[key] for key in ("href", "src") if key in attributes]
        self.images += [attributes] if tag == "img" else []
        self.ids += [attributes["id"]] if "id" in attributes else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def log():
    return measured_log(30.0)


@pytest.fixture(scope="module")
def text(log):
    return report(log)


def test_it_is_complete_and_refers_to_nothing_outside(text):
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    for target in page.refers:
        assert target.startswith("data:image/") or target.removeprefix("#") in page.ids, target[:60]
    assert "http" not in text.replace("http-equiv", "")
    assert len(text.encode()) < MOST_BYTES


def test_every_page_is_in_it_as_an_image_that_decodes(text, log):
    page = Page(text)
    assert len(page.images) == len([name for name in pages(log) if name != "mission"])
    kinds = set()
    for image in page.images:
        kind, _, content = image["src"].removeprefix("data:image/").partition(";base64,")
        kinds.add(kind)
        raw = base64.b64decode(content, validate=True)
        if kind == "png":
            Image.open(io.BytesIO(raw)).verify()
        else:
            assert ET.fromstring(raw).tag.endswith("svg")
        assert image["alt"]
    assert kinds <= {"png", "svg+xml"}


def test_settings_events_and_forces_are_shown(text):
    words = " ".join(Page(text).words)
    for phrase in (
        "integrator",
        "rk4",
        "thruster t3 lost",
        "X [N]",
        "thrusters",
        "distance over ground",
        "depth_gauge_depth_m",
    ):
        assert phrase in words, phrase


def test_the_force_table_holds_the_mean(log, text):
    mean = log.forces.mean()["thrusters"][0]
    assert f"<th>thrusters</th><td>{mean:.4g}<small>" in text


def test_text_of_users_is_escaped(log):
    strange = Log(log.columns, log.meta | {"vehicle_name": "<b>R&D</b>", "note": "x" * 500}, dict(log.forces))
    text = report(strange, names=("speed",))
    assert "<h1>&lt;b&gt;R&amp;D&lt;/b&gt;</h1>" in text
    assert "<details><summary>xxx" in text
    assert len(Page(text).images) == 1


def test_equal_logs_make_equal_reports(log):
    assert report(log, names=("depth",)) == report(log, names=("depth",))


def test_a_run_cut_short_says_so(log):
    cut = Log(log.columns, log.meta, complete=False)
    assert "cut short" in report(cut, names=("speed",)) and "cut short" not in report(log, names=("speed",))


def test_a_long_noisy_run_stays_small(tmp_path):
    """Half an hour of noise at 10 Hz on every panel: drawings become pictures."""
    log = measured_log(1800.0)
    noise = np.random.default_rng(2)
    for name, column in log.columns.items():
        if name != "time_s":
            log.columns[name] = column + 0.3 * noise.standard_normal(len(log))
    write_report(log, tmp_path / "r.html", names=("attitude", "speed", "actuators", "forces"))
    assert (tmp_path / "r.html").stat().st_size < MOST_BYTES


def test_bad_requests_get_one_sentence(log, tmp_path):
    with pytest.raises(PelagosError, match="empty"):
        write_report(Log({"time_s": np.zeros(0)}), tmp_path / "r.html")
    with pytest.raises(PelagosError, match="no page 'tether'; expected some of"):
        write_report(log, tmp_path / "r.html", names=("tether",))
    with pytest.raises(PelagosError, match="cannot be written"):
        write_report(log, tmp_path / "nowhere" / "r.html", names=("speed",))


BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or ""


@pytest.mark.skipif(not BROWSER, reason="no Chromium on this machine")
def test_a_browser_shows_every_image(log, tmp_path):
    """The page counts its own images that have a size, and writes the number into its title."""
    path = tmp_path / "r.html"
    write_report(log, path, names=("plan", "speed"))
    count = "[...document.images].filter(i => i.naturalWidth > 99).length"
    script = f"<script>addEventListener('load', () => {{ document.title = {count} + ' shown' }})</script>"
    path.write_text(path.read_text().replace("</body>", f"{script}</body>"))
    order = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path / 'browser'}",
        "--virtual-time-budget=5000", "--dump-dom", path.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(order, capture_output=True, text=True, timeout=120, check=True)
    assert "<title>2 shown</title>" in done.stdout


def test_without_matplotlib_a_report_is_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not there
    with pytest.raises(MissingExtraError, match="matplotlib"):
        write_report(measured_log(5.0), tmp_path / "run.html")
    assert not (tmp_path / "run.html").exists()


def test_it_is_balanced_and_needs_no_network():
    assert SHEET.count("{") == SHEET.count("}")
    assert "url(" not in SHEET and "@import" not in SHEET
    assert "prefers-color-scheme: dark" in SHEET and "@media print" in SHEET


def test_every_colour_that_is_used_is_set():
    used, defined = set(re.findall(r"var\((--\w+)\)", SHEET)), set(re.findall(r"(--\w+):", SHEET))
    assert used <= defined
