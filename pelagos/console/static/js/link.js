// The line to the server: opens the socket and opens it again, sends sticks by a timer, measures delays, tells what
// came.
// Events, as CustomEvents with the message in `detail`: hello, status, event, roster, refused, result, contacts, links,
// snapshot, and of the line itself: open, close, trouble {kind}, problem {text}.
import { decodeSnapshot, inputMessage, parseMessage } from "./protocol.js";

export const INPUT_HZ = 40;
export const LOST_MS = 500;
const PING_MS = 1000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const MOST_TEXT_BYTES = 4096;
const FORBIDDEN = 403;

/**
 * Why there is no connection: the line is cut, nobody answers, the server is another one than that of our address, or
 * it has sent us away and said why.
 * @typedef {"cut" | "silent" | "stranger" | "sent away"} Trouble
 */

/**
 * What to tell the pilot of it, and what can be done.
 * @param {Trouble} trouble
 * @param {{reason?: string, before?: boolean}} [more] before: whether there was a connection
 * @returns {{text: string, small: string}}
 */
export function troubleText(trouble, { reason = "", before = true } = {}) {
  switch (trouble) {
    case "silent":
      return { text: "SERVER STOPPED", small: "the program has ended or does not answer; trying again" };
    case "stranger":
      return {
        text: before ? "SERVER RESTARTED" : "OLD ADDRESS",
        small: "this page belongs to an earlier run: open the address that the program has printed",
      };
    case "sent away":
      return { text: "SENT AWAY", small: `${reason}; trying again` };
    default:
      return { text: "NO CONNECTION", small: "trying again" };
  }
}

/**
 * Whether the server still knows our token: the status of its answer, 0 without one. A socket that is refused does not
 * tell a page why.
 * @param {{origin: string, search: string}} location
 * @returns {Promise<number>}
 */
export async function tokenStatus({ origin, search }) {
  const token = new URLSearchParams(search).get("token") ?? "";
  const address = `${origin}/check?${new URLSearchParams({ token })}`;
  try {
    const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(3000) });
    return answer.status;
  } catch {
    return 0;
  }
}

/**
 * How long to wait before the n-th new try, n from 0: twice as long each time, up to a limit.
 * @param {number} tries
 */
export function backOff(tries) {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 20));
}

/**
 * The address of the socket that belongs to the address of the page.
 * @param {{protocol: string, host: string, search: string}} location
 */
export function socketAddress(location) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const query = new URLSearchParams(location.search);
  const kept = new URLSearchParams();
  for (const key of ["token", "name"]) {
    const value = query.get(key);
    if (value) kept.set(key, value);
  }
  const text = kept.toString();
  return `${scheme}//${location.host}/ws${text ? `?${text}` : ""}`;
}

export class Link extends EventTarget {
  /**
   * @param {object} options
   * @param {string} options.address
   * @param {() => import("./types.js").Input} options.readInput what the sticks say now
   * @param {(address: string) => WebSocket} [options.makeSocket]
   * @param {() => Promise<number>} [options.status] whether we would be let in, by HTTP
   * @param {() => number} [options.clock] ms
   */
  constructor({
    address, readInput, makeSocket = (to) => new WebSocket(to), status = async () => 200,
    clock = () => performance.now(),
  }) {
    super();
    this.address = address;
    this.readInput = readInput;
    this.makeSocket = makeSocket;
    this.tokenStatus = status;
    /** @type {Trouble | null} */
    this.trouble = null;
    this.reason = ""; // of the server, when it closed the line
    this.clock = clock;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {import("./types.js").Hello | null} */
    this.hello = null;
    /** @type {import("./types.js").RosterMessage | null} */
    this.roster = null;
    /** @type {import("./types.js").StatusMessage | null} */
    this.status = null;
    this.seq = 0;
    this.ack = 0;
    this.tries = 0;
    this.lastSnapshot = -Infinity;
    this.latency = NaN; // ms, there and back of a ping
    this.inputDelay = NaN; // ms, from an input to the first state that knows of it
    /** @type {ReturnType<typeof setInterval>[]} */
    this.timers = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    this.running = false;
  }

  start() {
    if (this.running) return;
    this.running = true;
    this.open();
    // Timers, not animation frames: a page that draws slowly must not steer slowly.
    this.timers.push(setInterval(() => this.sendInput(), 1000 / INPUT_HZ));
    this.timers.push(setInterval(() => this.send({ type: "ping", t: this.clock() }), PING_MS));
  }

  stop() {
    this.running = false;
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    clearTimeout(this.retry);
    this.socket?.close();
    this.socket = null;
  }

  open() {
    const socket = this.makeSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.trouble = null;
      this.tell("open", {});
    });
    socket.addEventListener("message", (message) => this.receive(message.data));
    socket.addEventListener("close", (event) => this.closed(socket, event.reason));
  }

  /**
   * @param {WebSocket} socket
   * @param {string} reason
   */
  closed(socket, reason) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.roster = null;
    this.latency = NaN;
    this.inputDelay = NaN;
    this.reason = reason;
    this.trouble = reason ? "sent away" : "cut";
    this.tell("close", {});
    this.later(reason !== "");
  }

  /**
   * Try again, after a while that grows.
   * @param {boolean} [slowly]
   */
  later(slowly = false) {
    if (!this.running) return;
    const wait = slowly ? LONGEST_WAIT_MS : backOff(this.tries);
    this.tries += 1;
    this.retry = setTimeout(() => void this.again(), wait);
  }

  /** A socket only where our token is known: a stranger would refuse it each time. */
  async again() {
    const status = await this.tokenStatus();
    if (!this.running || this.socket) return;
    if (status !== 0 && status !== FORBIDDEN) {
      this.open();
      return;
    }
    this.trouble = status === 0 ? "silent" : "stranger";
    this.tell("trouble", { kind: this.trouble });
    this.later(status === FORBIDDEN);
  }

  /** @param {unknown} data */
  receive(data) {
    try {
      if (data instanceof ArrayBuffer) this.receiveSnapshot(decodeSnapshot(data));
      else this.receiveText(parseMessage(String(data)));
    } catch (error) {
      this.tell("problem", { text: error instanceof Error ? error.message : String(error) });
    }
  }

  /** @param {import("./types.js").Snapshot} snapshot */
  receiveSnapshot(snapshot) {
    this.lastSnapshot = this.clock();
    this.tries = 0;
    if (this.steering() && snapshot.ack > this.ack) {
      // An ack is repeated until the next input is applied: only its first showing says how long it took.
      this.ack = snapshot.ack;
      this.inputDelay = smoothed(this.inputDelay, this.lastSnapshot - snapshot.echo);
    }
    this.tell("snapshot", snapshot);
  }

  /** @param {import("./types.js").ServerMessage} message */
  receiveText(message) {
    if (message.type === "pong") {
      this.latency = smoothed(this.latency, this.clock() - message.t);
      return;
    }
    if (message.type === "hello") {
      if (this.hello?.you !== message.you) this.ack = this.seq; // another connection counts anew
      this.hello = message;
    }
    if (message.type === "roster") this.roster = message;
    if (message.type === "status") this.status = message;
    this.tell(message.type, message);
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @returns {"open" | "closed"} */
  get state() {
    return this.socket?.readyState === 1 ? "open" : "closed";
  }

  /** Whether this page holds the controls of a live flight. */
  steering() {
    return this.hello?.mode === "live" && this.roster !== null && this.roster.pilot === this.hello.you;
  }

  /** No state for half a second although there should be one. */
  get lost() {
    if (this.hello === null || this.status?.phase === "ended") return false;
    return this.state !== "open" || this.clock() - this.lastSnapshot > LOST_MS;
  }

  sendInput() {
    const input = this.readInput(); // asked also of one who watches: buttons of a gamepad are told from there
    if (!this.steering() || this.state !== "open") return;
    this.seq += 1;
    this.send(inputMessage(this.seq, this.clock(), input));
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} [values]
   */
  order(name, values = {}) {
    return this.send({ type: "order", name, values });
  }

  /**
   * @param {"request" | "release" | "grant" | "refuse" | "take"} what
   * @param {"pilot" | "instructor"} [role]
   * @param {string} [to]
   */
  lease(what, role = "pilot", to) {
    return this.send({ type: "lease", do: what, role, ...(to === undefined ? {} : { to }) });
  }

  /** @param {string} name */
  setName(name) {
    return this.send({ type: "name", name });
  }

  /** @param {Record<string, any>} message */
  send(message) {
    if (!this.socket || this.state !== "open") return false;
    const text = JSON.stringify(message);
    if (text.length > MOST_TEXT_BYTES) {
      this.tell("problem", { text: `a message of ${text.length} characters is too long to send` });
      return false;
    }
    this.socket.send(text);
    return true;
  }
}

/**
 * @param {number} before
 * @param {number} now
 */
function smoothed(before, now) {
  return Number.isFinite(before) ? before + 0.2 * (now - before) : now;
}
