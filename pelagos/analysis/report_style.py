"""How a report looks: one style sheet, for screens light and dark and for paper."""

SHEET = """
:root { --ink: #22303c; --soft: #5d6b78; --paper: #ffffff; --line: #d9dfe4; --shade: #f5f7f9; --link: #0072b2;
  --alarm: #b2182b; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebef; --soft: #a3b0bb; --paper: #14191e; --line: #333d46;
  --shade: #1c232a; --link: #6cb8e6; --alarm: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .7rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
.facts { color: var(--soft); margin: 0; }
.warn { color: var(--alarm); font-weight: 600; }
nav { margin: 1.2rem 0 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .9rem; }
nav a { color: var(--link); text-decoration: none; }
nav a:hover { text-decoration: underline; }
pre { margin: 0; padding: .9rem 1.1rem; overflow-x: auto; background: var(--shade); border-radius: 6px;
  font: .82rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
figure { margin: 0; padding: .8rem; background: #ffffff; border: 1px solid var(--line); border-radius: 6px; }
figure img { display: block; width: 100%; height: auto; }
figcaption { margin-top: .4rem; font-size: .85rem; color: #5d6b78; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .32rem .7rem .32rem 0; border-bottom: 1px solid var(--line); }
thead th, tfoot th, tfoot td { font-weight: 600; }
.settings th { width: 15rem; font-weight: 500; color: var(--soft); }
.settings td { overflow-wrap: anywhere; }
.events th { white-space: nowrap; }
.events td:first-child, .events td:nth-child(2) { white-space: nowrap; text-align: right; width: 1%; }
.alarm td { color: var(--alarm); }
.forces td, .forces thead th + th { text-align: right; }
.forces small { display: block; color: var(--soft); }
section p { font-size: .88rem; color: var(--soft); }
details summary { cursor: pointer; }
code { font: .78rem ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--shade); padding: .1rem .3rem;
  border-radius: 3px; white-space: nowrap; }
.names { line-height: 1.9; }
@media print { :root { --ink: #000; --soft: #444; --paper: #fff; --line: #ccc; --shade: #f7f7f7; --alarm: #b2182b; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; } nav { display: none; }
  figure { border: 0; padding: 0; } section, tr { break-inside: avoid; } h2 { break-after: avoid; }
  #settings { break-inside: auto; } @page { margin: 16mm; } }
"""
