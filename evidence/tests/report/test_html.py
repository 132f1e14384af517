"""The style sheet and the script fit the report: nothing styled or sought that is not there."""

import re

import pytest

from evidence.tests.made_up import BAD, SMALL
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.report.html import CLASS, OWN_SHEET, SCRIPT, report_html
from pelagos_evidence.run import run


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
    for said in ('class="tools" hidden', "<output>", '<input type="search"', "data-show=", "data-verdict="):
        assert said in page
