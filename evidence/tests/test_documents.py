"""The five are found by their words, in order and each once; a wrong word gets the nearest."""

import re
import subprocess
import sys

import pytest

from evidence.tests.page_rows import PAGE
from pelagos.errors import CommandError
from pelagos_evidence.documents import DOCUMENTS, LONGEST_FIRST, document, documents


def test_all_five_in_order():
    found = documents()
    assert [one.key for one in found] == list(DOCUMENTS) == ["brutzman", "hunt", "nav", "royer", "gavia"]
    assert set(LONGEST_FIRST) < {f"{one.key}/{part.key}" for one in found for part in one.parts}
    for one in found:
        assert one.parts and one.short and one.citation and one.about
        keys = [part.key for part in one.parts]
        assert len(keys) == len(set(keys)) == len({part.run for part in one.parts})
        for page in re.findall(r"\]\(([^)]+)\)", " ".join(part.about for part in one.parts)):
            assert (PAGE.parent / page).exists(), (one.key, page)
    assert [one.key for one in documents(["royer", "hunt", "royer"])] == ["hunt", "royer"]


def test_a_wrong_word_gets_the_nearest():
    with pytest.raises(CommandError, match=r'"Roier": no document of this name; .*did you mean "royer"'):
        documents(["hunt", "Roier"])
    with pytest.raises(CommandError, match="expected some of brutzman, hunt, nav, royer, gavia"):
        document("zzz")


def test_nothing_is_imported_until_asked_for():
    code = "import sys, pelagos_evidence.documents; print([n for n in sys.modules if n.endswith(('royer', 'nav'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
