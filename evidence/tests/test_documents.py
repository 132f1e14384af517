"""The five documents are found by their names, in order and each once; a wrong name gets the nearest."""

import re
import subprocess
import sys

import pytest

from evidence.tests.page_rows import PAGE
from pelagos.errors import CommandError
from pelagos_evidence.documents import DOCUMENTS, LONGEST_FIRST, document, documents


def test_all_five_in_order():
    every = documents()
    assert [entry.key for entry in every] == list(DOCUMENTS) == ["brutzman", "hunt", "nav", "royer", "gavia"]
    assert set(LONGEST_FIRST) < {f"{entry.key}/{part.key}" for entry in every for part in entry.parts}
    for entry in every:
        assert entry.parts and entry.short and entry.citation and entry.about
        keys = [part.key for part in entry.parts]
        assert len(keys) == len(set(keys)) == len({part.run for part in entry.parts})
        for page in re.findall(r"\]\(([^)]+)\)", " ".join(part.about for part in entry.parts)):
            assert (PAGE.parent / page).exists(), (entry.key, page)
    assert [entry.key for entry in documents(["royer", "hunt", "royer"])] == ["hunt", "royer"]


def test_a_wrong_word_gets_the_nearest():
    with pytest.raises(CommandError, match=r"there is no document 'Roier'; .*did you mean \"royer\""):
        documents(["hunt", "Roier"])
    with pytest.raises(CommandError, match="expected some of brutzman, hunt, nav, royer, gavia"):
        document("zzz")


def test_nothing_is_imported_until_asked_for():
    code = "import sys, pelagos_evidence.documents; print([n for n in sys.modules if n.endswith(('royer', 'nav'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
