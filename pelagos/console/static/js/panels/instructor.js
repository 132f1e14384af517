// Builds the instructor's panel: message to the pilot, faults, gusts and conditions.
import { bodyOf, button, dropDown, inWords, labelled, make } from "./build.js";
import { ConditionsForm } from "./conditions_form.js";

const GUST = "current_gust";

/** @typedef {import("../types.js").FaultChoice} FaultChoice */
/** @typedef {import("../types.js").FaultKey} FaultKey */
/** @typedef {import("./task.js").Send} Send */

/**
 * The value of a field of a fault, by the type of its key; undefined if the field is empty.
 * @param {FaultKey} key
 * @param {string} text
 * @returns {unknown}
 */
export function faultValue(key, text) {
  if (text.trim() === "") return undefined;
  if (key.choices) return key.choices.find((value) => String(value) === text) ?? text;
  if (/float|int|number/.test(key.type)) return Number(text);
  if (/tuple|list|vector/.test(key.type)) return text.split(/[\s,;]+/).filter(Boolean).map(Number);
  if (/bool/.test(key.type)) return text === "true";
  return text;
}

/**
 * The text of a field before the user changes it.
 * @param {FaultKey} key
 */
export function defaultText(key) {
  if (key.default === undefined || key.default === null) return key.name === "bias" ? "0" : "";
  return String(key.default);
}

/** The form for one kind of fault. */
class FaultForm {
  /** @param {FaultChoice} fault */
  constructor(fault) {
    this.fault = fault;
    /** @type {[FaultKey, HTMLInputElement | HTMLSelectElement][]} */
    this.fields = [...fault.keys].sort(durationLast).map((key) => [key, fieldOf(key)]);
    this.element = make("div", {},
      make("p", { className: "note" }, fault.about ?? ""),
      ...this.fields.map(([key, field]) => labelled(inWords(key.name), field)));
  }

  values() {
    const values = this.fields.map(([key, field]) => [key.name, faultValue(key, field.value)]);
    return { kind: this.fault.kind, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
  }
}

/**
 * Sort the duration after all other keys.
 * @param {FaultKey} a
 * @param {FaultKey} b
 */
function durationLast(a, b) {
  return Number(a.name === "seconds_s") - Number(b.name === "seconds_s");
}

/** @param {FaultKey} key */
function fieldOf(key) {
  const start = defaultText(key);
  if (key.choices) return dropDown(key.choices.map((value) => ({ value: String(value), text: String(value) })), start);
  const number = /^(float|int|number)\b/.test(key.type);
  return make("input", {
    type: number ? "number" : "text", step: "any", value: start,
    placeholder: key.name === "seconds_s" ? "stays" : undefined,
  });
}

/** The instructor's panel. */
export class InstructorPanel {
  /** @param {Send} order */
  constructor(order) {
    this.order = order;
    this.body = bodyOf("panel-instructor");
    this.seat = make("p", { className: "note", role: "status" });
    this.acting = make("ul", { id: "faults-acting", "aria-live": "polite", "aria-label": "Faults that act" });
    this.key = ""; // of the faults and conditions that the forms show
    this.faults = make("div");
    this.gust = make("div");
    this.conditions = make("div");
    const text = make("input", { type: "text", maxLength: 500, id: "instructor-text" });
    this.body.append(
      this.seat,
      make("h3", {}, "Message to the pilot"), labelled("text", text),
      button("Send", () => {
        if (text.value.trim()) this.order("message", { text: text.value.trim() });
        text.value = "";
      }),
      make("h3", {}, "Faults that act"), this.acting,
      make("h3", {}, "Fault"), this.faults, make("h3", {}, "Gust"), this.gust,
      make("h3", {}, "Conditions"), this.conditions,
    );
  }

  /** @param {import("../types.js").Hello} hello */
  setHello(hello) {
    const { faults = [], conditions = {} } = hello.source;
    this.setActing(hello.source.faults_acting ?? []);
    const key = JSON.stringify([faults, conditions]);
    if (key === this.key) return; // unchanged: the fields keep what the user has entered
    this.key = key;
    this.makeFaults(faults.filter((fault) => fault.kind !== GUST));
    this.makeGust(faults.find((fault) => fault.kind === GUST));
    const form = new ConditionsForm(conditions);
    this.conditions.replaceChildren(
      form.element,
      button("Apply", () => {
        const changes = form.changes();
        if (Object.keys(changes).length > 0) this.order("conditions", changes);
      }),
    );
  }

  /** @param {import("../types.js").ActingFault[]} acting */
  setActing(acting) {
    const rows = acting.map(({ id, text, can_end: canEnd }) => make("li", { className: "row" },
      make("span", {}, text),
      canEnd === false
        ? make("span", { className: "note" }, "stays until a reset")
        : button("Clear", () => this.order("clear_faults", { id }), { "aria-label": `Clear: ${text}` })));
    this.acting.replaceChildren(...(rows.length > 0 ? rows : [make("li", { className: "note" }, "none")]));
  }

  /** @param {FaultChoice[]} faults */
  makeFaults(faults) {
    if (faults.length === 0) {
      this.faults.replaceChildren(make("p", { className: "note" }, "There are none for this vehicle."));
      return;
    }
    let form = new FaultForm(faults[0]);
    const place = make("div", {}, form.element);
    const list = dropDown(faults.map(({ kind }) => ({ value: kind, text: inWords(kind) })), faults[0].kind, () => {
      form = new FaultForm(faults.find(({ kind }) => kind === list.value) ?? faults[0]);
      place.replaceChildren(form.element);
    });
    list.id = "fault-kind";
    this.faults.replaceChildren(
      labelled("kind", list), place,
      make("div", { className: "row" },
        button("Happens now", () => this.order("fault", form.values()), { className: "danger", id: "fault-now" }),
        button("Clear all", () => this.order("clear_faults"))),
    );
  }

  /** @param {FaultChoice | undefined} fault */
  makeGust(fault) {
    if (!fault) {
      this.gust.replaceChildren(make("p", { className: "note" }, "This flight has no gusts."));
      return;
    }
    // A moderate gust, unless the server sends a default.
    const keys = fault.keys.map((key) => (key.name === "speed_m_s" ? { default: 0.5, ...key } : key));
    const form = new FaultForm({ ...fault, keys });
    const blow = button("Blow", () => this.order("fault", form.values()), { id: "gust-now" });
    this.gust.replaceChildren(form.element, blow);
  }

  /**
   * @param {import("../types.js").RosterMessage} roster
   * @param {string} you
   */
  setRoster(roster, you) {
    const holder = roster.clients.find((client) => client.id === roster.instructor);
    if (roster.instructor === you) this.seat.textContent = "You are the instructor.";
    else if (holder) this.seat.textContent = `${holder.name} is the instructor; what you send is refused.`;
    else if (roster.pilot === you) this.seat.textContent = "Nobody is the instructor: as pilot you may do this.";
    else this.seat.textContent = "Nobody is the instructor; take the place in Session.";
  }
}
