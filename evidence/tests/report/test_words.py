"""Plain words come out as they went in, whatever marks they hold; leads keep their marks."""

from pelagos_evidence.report.words import html_text, markdown_text, markdown_to_html


def test_plain_words_are_no_html():
    assert html_text("a < b & `x<y>`") == "a &lt; b &amp; <code>x&lt;y&gt;</code>"


def test_plain_words_are_no_markdown():
    assert markdown_text("1*j = -j, i*j") == r"1\*j = -j, i\*j"
    assert markdown_text("M_u|u|dpb") == r"M_u\|u\|dpb"
    assert markdown_text("_x_ of [a](b)") == r"\_x\_ of \[a\](b)"
    assert markdown_text("`N_r|r|` and *") == r"`N_r\|r\|` and \*"
    assert markdown_text("a <b>\n  c") == "a &lt;b&gt; c"


def test_leads_become_paragraphs_lists_and_words():
    made = markdown_to_html(
        "One *two* **three** `f*g*`,\nsee [the page](../../docs/surface.md#rest).\n\nOf:\n- a\n  b\n- 2 * 3 * 4"
    )
    assert made == (
        "<p>One <em>two</em> <strong>three</strong> <code>f*g*</code>, "
        "see the page <small>(docs/surface.md)</small>.</p><p>Of:</p><ul><li>a b</li><li>2 * 3 * 4</li></ul>"
    )


def test_leads_cannot_smuggle_html():
    assert markdown_to_html("<script>1</script>") == "<p>&lt;script&gt;1&lt;/script&gt;</p>"
    assert markdown_to_html("[x](https://a.b/c) [y](#z)") == '<p><a href="https://a.b/c">x</a> y</p>'
