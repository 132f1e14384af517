"""Words of the report: plain text comes out unchanged, and the opening has the figures of the run."""

from evidence.tests.made_up import BAD, OTHER, SMALL
from pelagos_evidence.claim import Row, number
from pelagos_evidence.document import Document, Findings, Part
from pelagos_evidence.outcome import Outcome
from pelagos_evidence.report.words import abstract, html_text, markdown_text, markdown_to_html, percent, title
from pelagos_evidence.run import run


def test_plain_words_are_no_html():
    assert html_text("a < b & `x<y>`") == "a &lt; b &amp; <code>x&lt;y&gt;</code>"


def test_plain_words_are_no_markdown():
    assert markdown_text("1*j = -j, i*j") == r"1\*j = -j, i\*j"
    assert markdown_text("M_u|u|dpb") == r"M_u\|u\|dpb"
    assert markdown_text("_x_ of [a](b)") == r"\_x\_ of \[a\](b)"
    assert markdown_text("`N_r|r|` and *") == r"`N_r\|r\|` and \*"
    assert markdown_text("a <b>\n  c") == "a &lt;b&gt; c"


def test_leads_become_paragraphs_lists_and_words():
    html = markdown_to_html(
        "One *two* **three** `f*g*`,\nsee [the page](../../docs/surface.md#rest).\n\nOf:\n- a\n  b\n- 2 * 3 * 4"
    )
    assert html == (
        "<p>One <em>two</em> <strong>three</strong> <code>f*g*</code>, "
        "see the page <small>(docs/surface.md)</small>.</p><p>Of:</p><ul><li>a b</li><li>2 * 3 * 4</li></ul>"
    )


def test_leads_cannot_smuggle_html():
    assert markdown_to_html("<script>1</script>") == "<p>&lt;script&gt;1&lt;/script&gt;</p>"
    assert markdown_to_html("[x](https://a.b/c) [y](#z)") == '<p><a href="https://a.b/c">x</a> y</p>'


def test_the_opening_counts():
    sentences = abstract(run([SMALL, OTHER], jobs=1))
    assert "the claims of Small 2001 and Other 2002 that can be checked" in sentences
    assert "Of 9 rows, 4 are reproduced within a tolerance" in sentences
    assert "1 is reproduced with a stated assumption" in sentences
    assert "1 is refuted, as the print is wrong, 1 is not met, for 2 there are no data, and none fail." in sentences
    assert "1 more only read back numbers that were typed in, and are not counted." in sentences
    assert "of the rows that hold compare" not in sentences  # two numbers are nothing to sum up
    assert "and 3 fail." in abstract(run([BAD], jobs=1))


def errors(progress):
    return Findings(
        tuple(number(Row(f"k{k}", "p", "w"), 10.0, 10.0 + 0.01 * k, "m", absolute=1.0, why="x") for k in range(20))
    )


def test_the_abstract_gives_the_largest_difference():
    sentences = abstract(run([Document("d", "D", "c", "", (Part("p", "P", "", errors),))]))
    # errors of 0 to 1.9 %: nine are above 1 %
    assert "20 of the rows that hold compare our number with one of the document" in sentences
    assert "9 of them differ by more than 1 %, at most by 1.9 %." in sentences and "The other" not in sentences


def test_the_title_says_which():
    assert title(run([SMALL, OTHER], jobs=1)) == "Small 2001 and Other 2002, reproduced"
    five = Outcome(run([OTHER]).documents * 5)
    assert title(five) == "Five documents, reproduced"


def test_small_shares_are_rounding():
    assert percent(0.0123) == "1.2 %"
    assert percent(2.345e-6) == "0.00023 %"
    assert percent(1e-12) == "rounding"
