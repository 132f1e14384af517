// Prints the keys and gamepad parts of the console as Markdown, for docs/console.md: node scripts/console_keys.mjs
import { GROUPS } from "../pelagos/console/static/js/controls/actions.js";
import { Bindings } from "../pelagos/console/static/js/controls/bindings.js";
import { helpRows } from "../pelagos/console/static/js/panels/help.js";

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("`", "\\`");

const bindings = new Bindings();
const lines = ["| | what | keys | gamepad |", "|---|---|---|---|"];
for (const group of GROUPS) {
  for (const [at, { label, keys, pad }] of helpRows(bindings, group).entries()) {
    const shown = keys.map((key) => `<kbd>${cell(key)}</kbd>`).join(" ");
    lines.push(`| ${at === 0 ? group : ""} | ${cell(label)} | ${shown} | ${cell(pad.join(", "))} |`);
  }
}
console.log(lines.join("\n"));
