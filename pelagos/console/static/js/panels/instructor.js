// The instructor: faults, gusts, messages and conditions for the pilot who flies.
import { bodyOf, button, choice, inWords, labelled, make } from "./build.js";
import { ConditionsForm } from "./conditions_form.js";

const GUST = "current_gust";

/** @typedef {import("../types.js").FaultChoice} FaultChoice */
/** @typedef {import("../types.js").FaultKey} FaultKey */
/** @typedef {import("./task.js").Send} Send */

/**
 * What a field of a fault says, or undefined if it was left empty.
 * @param {FaultKey} key
 * @param {string} text
 * @returns {unknown}
 */
export function faultValue(key, text) {
  if (text.trim() === "") return undefined;
  if (key.choices) return key.choices.find((one) => String(one) === text) ?? text;
  if (/float|int|number/.test(key.type)) return Number(text);
  if (/tuple|list|vector/.test(key.type)) return text.split(/[\s,;]+/).filter(Boolean).map(Number);
  if (/bool/.test(key.type)) return text === "true";
  return text;
}

/**
 * What a field says at first.
 * @param {FaultKey} key
 */
export function firstText(key) {
  if (key.default === undefined || key.default === null) return key.name === "bias" ? "0" : "";
  return String(key.default);
}

/** The fields of one kind of fault. */
class FaultForm {
  /** @param {FaultChoice} fault */
  constructor(fault) {
    this.fault = fault;
    /** @type {[FaultKey, HTMLInputElement | HTMLSelectElement][]} */
    this.fields = [...fault.keys].sort(lastingLast).map((key) => [key, fieldOf(key)]);
    this.element = make("div", {},
      make("p", { className: "note" }, fault.about ?? ""),
      ...this.fields.map(([key, field]) => labelled(inWords(key.name), field)));
  }

  values() {
    const said = this.fields.map(([key, field]) => [key.name, faultValue(key, field.value)]);
    return { kind: this.fault.kind, ...Object.fromEntries(said.filter(([, value]) => value !== undefined)) };
  }
}

/**
 * How long it lasts is asked after what it is.
 * @param {FaultKey} a
 * @param {FaultKey} b
 */
function lastingLast(a, b) {
  return Number(a.name === "seconds_s") - Number(b.name === "seconds_s");
}

/** @param {FaultKey} key */
function fieldOf(key) {
  const start = firstText(key);
  if (key.choices) return choice(key.choices.map((one) => ({ value: String(one), text: String(one) })), start);
  const number = /^(float|int|number)\b/.test(key.type);
  return make("input", {
    type: number ? "number" : "text", step: "any", value: start,
    placeholder: key.name === "seconds_s" ? "stays" : undefined,
  });
}

export class InstructorPanel {
  /** @param {Send} order */
  constructor(order) {
    this.order = order;
    this.body = bodyOf("panel-instructor");
    this.seat = make("p", { className: "note", role: "status" });
    this.acting = make("ul", { id: "faults-acting", "aria-live": "polite", "aria-label": "Faults that act" });
    this.made = ""; // from which menus the forms were made
    this.faults = make("div");
    this.gust = make("div");
    this.conditions = make("div");
    const text = make("input", { type: "text", maxLength: 200, id: "instructor-text" });
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
    const made = JSON.stringify([faults, conditions]);
    if (made === this.made) return; // a hello of something else leaves what is half written
    this.made = made;
    this.makeFaults(faults.filter((one) => one.kind !== GUST));
    this.makeGust(faults.find((one) => one.kind === GUST));
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
    const list = choice(faults.map((one) => ({ value: one.kind, text: inWords(one.kind) })), faults[0].kind, () => {
      form = new FaultForm(faults.find((one) => one.kind === list.value) ?? faults[0]);
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
    // a gust that can be felt and not more, unless another is asked for
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
    const holder = roster.clients.find((one) => one.id === roster.instructor);
    if (roster.instructor === you) this.seat.textContent = "You are the instructor.";
    else if (holder) this.seat.textContent = `${holder.name} is the instructor; what you send is refused.`;
    else if (roster.pilot === you) this.seat.textContent = "Nobody is the instructor: as pilot you may do this.";
    else this.seat.textContent = "Nobody is the instructor; take the place in Session.";
  }
}
