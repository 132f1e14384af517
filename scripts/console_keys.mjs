// Prints keys and gamepad parts of the console as a Markdown table for docs/console.md: node scripts/console_keys.mjs
import { GROUPS } from "../pelagos/console/static/js/controls/actions.js";
import { Bindings } from "../pelagos/console/static/js/controls/bindings.js";
import { helpRows } from "../pelagos/console/static/js/panels/help.js";

/**
 * A text with the characters escaped that Markdown would interpret in a table.
 * @param {string} text
 */
const escaped = (text) => text.replaceAll("|", "\\|").replaceAll("`", "\\`");

const bindings = new Bindings();
const lines = ["| | what | keys | gamepad |", "|---|---|---|---|"];
for (const group of GROUPS) {
  for (const [index, { label, keys, pad }] of helpRows(bindings, group).entries()) {
    const keyTags = keys.map((key) => `<kbd>${escaped(key)}</kbd>`).join(" ");
    lines.push(`| ${index === 0 ? group : ""} | ${escaped(label)} | ${keyTags} | ${escaped(pad.join(", "))} |`);
  }
}
console.log(lines.join("\n"));
