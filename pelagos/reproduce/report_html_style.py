"""How the report of the documents looks and what its few buttons do, beside the style sheet of every report."""

SHEET = """
:root { --good: #0b6e4f; --given: #1c5d99; --cannot: #8a5a00; --bad: #b2182b; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd3a6; --given: #8abdf0; --cannot: #f0c060; --bad: #ff8a80; } }
main { max-width: 82rem; }
html { scroll-padding-top: 4rem; }
h3 { font-size: 1.02rem; margin: 2rem 0 .4rem; }
.lead p, .lead li { font-size: 1rem; color: var(--ink); max-width: 48rem; }
.cite { font-size: .88rem; color: var(--soft); max-width: 48rem; }
a { color: var(--link); }
[hidden] { display: none !important; }
.scroll { overflow-x: auto; }
.sums { width: auto; }
.sums th:not(:first-child), .sums td { text-align: right; padding: .32rem .2rem .32rem 1.2rem; }
.sums td.none { color: var(--soft); }
.bar { display: flex; height: .55rem; width: 9rem; border-radius: 3px; overflow: hidden; margin-top: .35rem; }
.bar i { display: block; }
.v-reproduced { color: var(--good); } .v-assumed { color: var(--given); }
.v-not { color: var(--cannot); } .v-failed { color: var(--bad); }
.bar .v-reproduced { background: var(--good); } .bar .v-assumed { background: var(--given); }
.bar .v-not { background: var(--cannot); } .bar .v-failed { background: var(--bad); }
td.verdict { font-weight: 600; }
.tools { position: sticky; top: 0; z-index: 1; background: var(--paper); padding: .6rem 0; margin-top: 1.5rem;
  border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
.tools button, .tools input { font: inherit; font-size: .86rem; color: var(--ink); background: var(--shade);
  border: 1px solid var(--line); border-radius: 4px; padding: .25rem .6rem; }
.tools button { cursor: pointer; }
.tools button[aria-pressed=true] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
.tools input { flex: 1 1 12rem; min-width: 0; max-width: 24rem; }
.tools output { font-size: .86rem; color: var(--soft); }
.rows { table-layout: fixed; margin: .6rem 0 1rem; }
.rows th, .rows td { overflow-wrap: anywhere; }
.rows th:nth-child(1) { width: 10%; } .rows th:nth-child(2) { width: 25%; } .rows th:nth-child(3) { width: 14%; }
.rows th:nth-child(4) { width: 14%; } .rows th:nth-child(5) { width: 9%; } .rows th:nth-child(6) { width: 18%; }
.chief .rows th:nth-child(1) { width: 12%; } .chief .rows th:nth-child(2) { width: 34%; }
.chief .rows th:nth-child(5) { width: 12%; } .chief .rows th:nth-child(6) { width: 12%; }
.rows small, .more { display: block; font-size: .8rem; color: var(--soft); }
.rows td:first-child a { color: inherit; text-decoration: none; }
.rows td:first-child a:hover { text-decoration: underline; } .chief .rows td:first-child a { color: var(--link); }
.rows code, .errata code { white-space: normal; overflow-wrap: anywhere; }
.errata { table-layout: fixed; }
.errata small { display: block; font-weight: 400; color: var(--soft); } .errata td:last-child { font-size: .8rem; }
.errata td { overflow-wrap: anywhere; }
.errata th:nth-child(1) { width: 4.5rem; } .errata th:nth-child(2) { width: 12%; }
tr:target > td, tr:target > th { background: color-mix(in srgb, var(--link) 12%, transparent); }
figure { margin: 0 0 1rem; max-width: 68rem; }
.list li { margin: .3rem 0; max-width: 60rem; }
@media screen and (max-width: 46rem) { main { padding: 1.2rem .8rem 3rem; }
  .rows, .errata, .rows tbody, .errata tbody { display: block; } .rows thead, .errata thead { display: none; }
  .rows tr, .errata tr { display: block; padding: .6rem 0; border-bottom: 2px solid var(--line); }
  .rows td, .errata td, .errata th { display: block; border: 0; padding: .12rem 0; }
  .rows td:empty, .errata td:empty { display: none; }
  .rows td[data-label]::before, .errata td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); }
  .bar { display: none; } .settings th { width: 8rem; } .tools { position: static; } }
@media screen and (max-width: 66rem) { .rows, .errata { font-size: .8rem; }
  .rows td.verdict { overflow-wrap: normal; } }
@page { margin: 12mm; }
@media print { .tools, .more { display: none; } .rows, .errata { font-size: 7.2pt; }
  .rows td:first-child small { display: none; } .rows td.verdict { overflow-wrap: normal; }
  .rows td, .rows th, .errata td, .errata th { padding: .15rem .3rem .15rem 0; }
  .rows small { font-size: 6.6pt; } .lead p, .lead li, .list li { font-size: 9pt; max-width: none; }
  figure { max-width: 165mm; } section, .rows { break-inside: auto; } figure, tr { break-inside: avoid; }
  h3 { break-after: avoid; } a { color: inherit; text-decoration: none; }
  :root { --good: #0b6e4f; --given: #1c5d99; --cannot: #8a5a00; --bad: #b2182b; } }
"""

SCRIPT = """
const tools = document.querySelector('.tools'), find = tools.querySelector('input');
const buttons = [...tools.querySelectorAll('button')], told = tools.querySelector('output');
const rows = [...document.querySelectorAll('tr[data-verdict]')].map(row => ({ row, verdict: row.dataset.verdict,
  words: row.textContent.toLowerCase() }));
let shown = 'all';
function apply() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const { row, verdict, words: text } of rows) {
    row.hidden = (shown !== 'all' && verdict !== shown) || !words.every(word => text.includes(word));
    count += !row.hidden;
  }
  for (const part of document.querySelectorAll('.part, .document'))
    part.hidden = count < rows.length && !part.querySelector('tr[data-verdict]:not([hidden])');
  for (const chief of document.querySelectorAll('.chief')) chief.hidden = count < rows.length;
  for (const button of buttons) button.setAttribute('aria-pressed', button.dataset.show === shown);
  told.textContent = count === rows.length ? '' : `${count} of ${rows.length} rows`;
}
for (const button of buttons) button.onclick = () => { shown = button.dataset.show; apply(); };
find.oninput = apply;
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest('[hidden]')) { shown = 'all'; find.value = ''; apply(); target.scrollIntoView(); }
});
tools.hidden = false;
"""
