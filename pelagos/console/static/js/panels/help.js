// Fills the help panel: the action of each key and gamepad part, as they are bound at present.
import { ACTIONS, GROUPS } from "../controls/actions.js";
import { keyName, padName } from "../controls/bindings.js";
import { bodyOf, make, table } from "./build.js";

/**
 * The actions of a group with their keys and gamepad parts, for the panel and for the documentation.
 * @param {Pick<import("../controls/bindings.js").Bindings, "get">} bindings
 * @param {string} group
 * @returns {{label: string, keys: string[], pad: string[]}[]}
 */
export function helpRows(bindings, group) {
  return ACTIONS.filter((action) => action.group === group).map((action) => ({
    label: action.label,
    keys: bindings.get("keys", action.id).map(keyName),
    pad: bindings.get("pad", action.id).map(padName),
  }));
}

/** The help panel. */
export class HelpPanel {
  /** @param {import("../controls/bindings.js").Bindings} bindings */
  constructor(bindings) {
    this.bindings = bindings;
    this.body = bodyOf("panel-help");
    bindings.addEventListener("change", () => this.fill());
    this.fill();
  }

  fill() {
    const parts = GROUPS.map((group) => {
      const rows = helpRows(this.bindings, group).map(({ label, keys, pad }) => [
        label, make("span", {}, ...keys.flatMap((key) => [make("kbd", {}, key), " "])), pad.join(", "),
      ]);
      const part = make("section", {}, make("h3", {}, group), table(["", "keys", "gamepad"], rows));
      part.style.breakInside = "avoid";
      return part;
    });
    const columns = make("div", {}, ...parts);
    columns.style.columns = "2 300px";
    this.body.replaceChildren(
      make("p", {}, "Hold a key to push a stick further; a tap is a nudge. With Shift the stick keys trim."),
      make("p", { className: "note" },
        "Drag the camera picture to pan and tilt, the chase picture to go round. All keys can be changed in Settings."),
      columns,
    );
  }
}
