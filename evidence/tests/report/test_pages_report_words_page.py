"""The sentences about the command are true: orders are understood, the Python runs, the files are those it says."""

import re
import shlex

import pytest

from evidence.tests.made_up import OTHER
from pelagos.cli.main import _parser
from pelagos_evidence.command import REPRODUCE_EXAMPLES
from pelagos_evidence.documents import documents
from pelagos_evidence.report.json import report_schema
from pelagos_evidence.report.pages import COMMAND, REPEAT


@pytest.mark.parametrize("text", [REPRODUCE_EXAMPLES, COMMAND], ids=["help", "page"])
def test_orders_are_understood(text):
    lines = [line.strip() for line in text.splitlines()]
    orders = [re.split(r"  +", line)[0] for line in lines if line.startswith("pelagos reproduce")]
    assert len(orders) == 5
    for order in orders:
        words = _parser().parse_args(shlex.split(order)[1:])
        assert words.command.__name__ == "reproduce"
        documents(words.document)  # all are there


def test_files_are_those_of_the_command():
    words = _parser().parse_args(["reproduce"])
    assert f"`{words.out}`" in REPEAT and f"`{words.json}`" in REPEAT


def test_fields_are_those_of_the_schema():
    document = report_schema()["properties"]["documents"]["items"]
    part = document["properties"]["parts"]["items"]
    listed = re.search(r"their `claims`\s\(([^)]*)\)", COMMAND)[1]
    assert re.findall(r"`(\w+)`", listed) == list(part["properties"]["claims"]["items"]["properties"])
    for name in ("counts", "errata", "sources", "made_with"):
        assert f"`{name}`" in COMMAND and name in report_schema()["properties"]


def test_the_python_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", COMMAND, re.M | re.S)
    assert 'documents(["nav"])' in code
    small = code.replace('documents(["nav"])', "chosen")
    exec(compile(small, "evidence/docs/reproduction.md", "exec"), {"chosen": [OTHER]})
    assert capsys.readouterr().out.splitlines()[0] == "other figure 5 positive +1.2 deg reproduced"
