"""HTML report: one file that needs nothing else, with its style, script, links and lists, in a real browser."""

import base64
import io
import re
import shutil
from dataclasses import replace

import pytest

from evidence.tests.made_up import BAD, OTHER, SMALL
from pelagos_evidence.claim import ClaimVerdict, Proof, Row, number
from pelagos_evidence.document import Document, Findings, Part
from pelagos_evidence.errata import errata
from pelagos_evidence.outcome import DocumentOutcome, Outcome, PartOutcome
from pelagos_evidence.report.html import (
    CLASS,
    OWN_SHEET,
    SCRIPT,
    assumptions,
    errata_section,
    how_made,
    report_html,
    unreproduced,
)
from pelagos_evidence.run import run
from tests.analysis.test_report import Page


@pytest.fixture(scope="module")
def text():
    return report_html(run([SMALL, BAD], jobs=1))


def test_brackets_close():
    for text in (OWN_SHEET, SCRIPT):
        for opening, closing in ("{}", "()", "[]"):
            assert text.count(opening) == text.count(closing)


def test_every_styled_class_is_used(text):
    used = {name for names in re.findall(r'class="([^"]+)"', text) for name in names.split()}
    styled = set(re.findall(r"\.([a-z][a-z-]*)", re.sub(r"\{[^}]*\}", "", OWN_SHEET)))
    assert styled <= used | {"warn"}
    assert len(styled) > 12


def test_every_verdict_has_a_colour_of_its_own(text):
    assert set(CLASS) == set(ClaimVerdict)
    for scheme in OWN_SHEET.split("prefers-color-scheme: dark"):
        colours = re.findall(r"--(?:good|given|wrong|cannot|none|bad): (#[0-9a-f]{6})", scheme)[:6]
        assert len(set(colours)) == 6
    for name in CLASS.values():
        assert f".v-{name} {{ color:" in OWN_SHEET


def test_what_the_script_looks_for_is_there(text):
    page = text.split("<script>")[0]
    for expected in ('class="tools" hidden', "<output>", '<input type="search"', "data-show=", "data-verdict="):
        assert expected in page


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--disable-gpu",
]  # fmt: skip
PHONE = {"width": 360, "height": 740}
LIMIT_MS = 60_000


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, OTHER, BAD], jobs=1)


@pytest.fixture(scope="module")
def page_text(outcome):
    return report_html(outcome)


def test_it_is_whole_and_refers_to_nothing_outside(page_text):
    page = Page(page_text)
    assert len(page.ids) == len(set(page.ids))
    for target in page.refers:
        assert target.startswith("data:image/") or target.removeprefix("#") in page.ids, target[:60]
    assert "http" not in page_text
    (image,) = page.images
    pytest.importorskip("PIL.Image").open(
        io.BytesIO(base64.b64decode(image["src"].partition(",")[2], validate=True))
    ).verify()
    assert image["alt"].startswith("Speed against time")


def test_every_column_of_a_row_is_there(page_text):
    row = re.search(r'<tr id="small-drag".*?</tr>', page_text, re.S)[0]
    for expected in ("table 1", "Small 2001", "drag | of M_u|u|dpb, 1*j = -j &lt;b&gt;", "4 N", "4.1 N",
                     "+0.1 N (+2.5 %)", "0.2 N", "one digit", "with a stated assumption", "<code>k_1</code>",
                     "#figure-small"):  # fmt: skip
        assert expected in row, expected
    row = re.search(r'<tr id="small-top".*?</tr>', page_text, re.S)[0]
    for expected in ('href="#B16"', "pelagos.engine.core.motion", "tests/engine/core/test_motion.py"):
        assert expected in row, expected


def test_chief_results_lead_to_their_rows(page_text):
    (chief,) = re.findall(r'<section class="chief">.*?</section>', page_text, re.S)
    assert re.findall(r'<tr><td><a href="#([^"]+)"', chief) == ["small-drag", "small-top"]
    for expected in (
        '<td data-label="ours">4.1 N</td>',
        "with a stated assumption",
        '<td data-label="tolerance">1 %</td>',
    ):
        assert expected in chief


def test_errata_assumptions_and_gaps_have_their_lists(page_text):
    words = " ".join(" ".join(Page(page_text).words).split())
    for expected in (
        "the curve is lost in the scan",
        "Assumed:",
        "ValueError: the mass is negative",
        "not reproduced, and why",
    ):
        assert expected in words, expected
    listed = page_text.partition('<section id="assumptions">')[2].partition("</section>")[0]
    assert 'href="#small-drag"' in listed and "small-top" not in listed


def test_only_the_last_section_has_times_and_the_rest_is_the_same_again(outcome, page_text):
    again = report_html(run([SMALL, OTHER, BAD], jobs=1))
    cut = '<section id="made">'
    assert again.split(cut)[0] == page_text.split(cut)[0]
    assert "pelagos reproduce small other bad" in page_text.split(cut)[1]


def test_an_interrupted_run_says_so(outcome, page_text):
    cut = DocumentOutcome(SMALL, (outcome.documents[0].parts[0], PartOutcome(SMALL.parts[1])))
    section = report_html(Outcome((cut,)))
    assert "This run was interrupted" in section and "This part was not reached" in section
    assert "interrupted" not in page_text


@pytest.fixture(scope="module")
def page(page_text, tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip("no chromium is installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    file = tmp_path_factory.mktemp("report") / "r.html"
    file.write_text(page_text, encoding="utf-8")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on(
            "console", lambda entry: page.problems.append(entry.text) if entry.type in ("error", "warning") else None
        )
        page.goto(file.as_uri(), timeout=LIMIT_MS)
        yield page
        browser.close()


def shown(page):
    code = "[...document.querySelectorAll('tr[data-verdict]')].filter(r => r.offsetParent).map(r => r.id)"
    return page.evaluate(code)


@pytest.mark.slow
def test_buttons_filter_by_verdict(page):
    assert len(shown(page)) == 15
    page.click("button[data-show=failed]")
    assert shown(page) == ["bad-off", "bad-raises-runs", "bad-complains-runs"]
    assert page.inner_text("output") == "3 of 15 rows"
    assert not page.is_visible("#small") and page.is_visible("#bad")
    page.click("button[data-show=reproduced]")
    assert page.is_visible("#small") and not page.is_visible(".chief")
    page.click("button[data-show=assumed]")
    assert shown(page) == ["small-drag"]
    page.click("button[data-show=refuted]")
    assert shown(page) == ["small-wrong"]
    page.click("button[data-show=all]")
    assert len(shown(page)) == 15
    assert page.problems == []


@pytest.mark.slow
def test_the_box_finds_rows_by_words(page):
    page.fill("input[type=search]", "SMALL b16")
    assert shown(page) == ["small-top"]
    page.fill("input[type=search]", "nothing-of-the-kind")
    assert shown(page) == []
    page.evaluate("location.hash = '#small-gap'")  # a link into a row that is hidden shows it
    page.wait_for_function("document.querySelector('input[type=search]').value === ''", timeout=LIMIT_MS)
    assert len(shown(page)) == 15
    assert page.problems == []


@pytest.mark.slow
def test_it_fits_a_phone_and_images_are_drawn(page):
    wide = "[document.documentElement.scrollWidth, innerWidth]"
    assert page.evaluate("[...document.images].every(i => i.naturalWidth > 99)")
    for size in (PHONE, {"width": 800, "height": 600}, {"width": 1280, "height": 800}):
        page.set_viewport_size(size)
        content, window = page.evaluate(wide)
        assert content <= window, size
    assert page.problems == []


def test_dark_and_print_are_readable(page):
    """Contrast of every verdict against what is behind it: 4.5 and more, as WCAG asks of small page_text."""
    code = """() => {
      const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => v / 255).map(v =>
        v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const back = light(getComputedStyle(document.body).backgroundColor);
      return [...document.querySelectorAll('td.verdict')].map(cell => { const own = light(getComputedStyle(cell).color);
        return (Math.max(own, back) + 0.05) / (Math.min(own, back) + 0.05); }); }"""
    for how in ({"color_scheme": "dark"}, {"color_scheme": "light"}, {"media": "print"}):
        page.emulate_media(**how)
        assert min(page.evaluate(code)) > 4.5, how
    assert not page.is_visible(".tools")
    page.set_viewport_size({"width": 700, "height": 1000})  # a sheet of A4 within its margins: rows stay a table
    assert page.evaluate("getComputedStyle(document.querySelector('.rows tbody')).display") == "table-row-group"
    page.emulate_media(media="screen", color_scheme="light")


def twice(progress):
    row = number(Row("a", "page 1", "a", "<same>"), 1.0, 1.0, "m", absolute=0.1, why="x")
    other = replace(row, key="b", place="page 2", proof=Proof(errata=("B16",)))
    return Findings((row, other))


DOCUMENT = Document("brutzman", "B", "c", "a", (Part("p", "P", "", twice),))


def test_an_assumption_stands_once_with_its_rows():
    section = assumptions(run([DOCUMENT]))
    assert section.count("&lt;same&gt;") == 1
    assert re.findall(r'href="#([^"]+)"', section) == ["brutzman-a", "brutzman-b"]
    assert "None." in assumptions(run([OTHER]))


def test_what_is_not_reproducible_says_why():
    section = unreproduced(run([OTHER]))
    assert 'href="#other-lost"' in section and "measured track. the curve is lost in the scan" in section
    assert "None." in unreproduced(run([DOCUMENT]))


def test_errata_of_the_document_are_all_there_and_know_who_cites_them():
    section = errata_section(run([DOCUMENT]))
    own = [key for key, entry in errata().items() if entry.document == "brutzman"]
    assert re.findall(r'<tr id="([^"]+)"', section) == own
    row = re.search(r'<tr id="B16">.*?</tr>', section)[0]
    assert "-1.78E-1" in row and "-1.78E-3" in row and 'href="#brutzman-b"' in row and "brutzman-a" not in row
    assert "<strong>S1</strong>" in section


@pytest.mark.slow
def test_how_it_was_made_is_listed():
    section = how_made(run([DOCUMENT]), {"python": "3.<1>"})
    assert "pelagos reproduce brutzman" in section and "3.&lt;1&gt;" in section
