import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const STATIC = new URL("../../../pelagos/console/static/", import.meta.url);
const page = readFileSync(new URL("index.html", STATIC), "utf8");
const sheets = readdirSync(new URL("css/", STATIC)).map((name) => readFileSync(new URL(`css/${name}`, STATIC), "utf8"));

test("the page has each container of its parts exactly once", () => {
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of [
    "stage", "camera", "overlay", "top", "side", "instruments", "lamps", "warnings", "bar", "panel-task",
    "panel-controls", "panel-instructor", "panel-session", "panel-replay", "panel-help", "panel-settings", "touch-left", "touch-right",
  ]) assert.ok(ids.includes(id), id);
});

test("the element that a button opens or closes exists", () => {
  const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
  const named = [...page.matchAll(/(?:data-panel|data-close|aria-controls|aria-labelledby)="([^"]+)"/g)];
  assert.ok(named.length >= 15);
  for (const [, id] of named) assert.ok(ids.has(id), id);
});

test("every button has a name and a type, every picture a description", () => {
  const buttons = [...page.matchAll(/<button([^>]*)>([^<]*)</g)];
  assert.ok(buttons.length >= 20);
  for (const [whole, attributes, text] of buttons) {
    assert.match(attributes, /type="button"/, whole);
    assert.ok(/aria-label="[^"]+"/.test(attributes) || /[a-z]{2}/i.test(text), whole);
  }
  for (const [canvas] of page.matchAll(/<canvas[^>]*>/g)) assert.match(canvas, /aria-label="|aria-hidden="true"/);
});

test("no font is smaller than 12 px", () => {
  const sizes = sheets.flatMap((sheet) => [...sheet.matchAll(/(?:font-size:|font:)[^;]*?(\d+(?:\.\d+)?)px/g)]);
  assert.ok(sizes.length > 10);
  for (const [whole, size] of sizes) assert.ok(Number(size) >= 12, whole);
});

test("controls are at least 40 px high on touch screens", () => {
  const sheet = sheets.find((text) => text.includes("(pointer: coarse)")) ?? "";
  const coarse = sheet.slice(sheet.indexOf("@media (pointer: coarse) {"));
  const heights = [...coarse.matchAll(/min-height: (\d+)px|\bheight: (\d+)px;\n {4}line-height/g)];
  assert.ok(heights.length >= 3);
  for (const [whole, least, tall] of heights) assert.ok(Number(least ?? tall) >= 40, whole);
});
