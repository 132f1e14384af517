// Connects the page to the server: opens the socket and reopens it after a failure, sends stick positions by a timer,
// measures delays, and dispatches each message as an event.
// The events are CustomEvents with the message in `detail`: hello, status, event, roster, refused, result, contacts,
// links, snapshot; and events of the connection: open, close, trouble {kind}, problem {text}.
import { decodeSnapshot, inputMessage, parseMessage } from "./protocol.js";

export const INPUT_HZ = 40;
export const LOST_MS = 500;
const PING_MS = 1000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const MOST_TEXT_BYTES = 4096; // the server refuses longer messages
const FORBIDDEN = 403;

/**
 * Why there is no connection: the connection was lost, the server does not answer, another server runs at this address
 * and does not know the token, or the server closed the connection with a reason.
 * @typedef {"lost" | "no answer" | "unknown token" | "rejected"} Trouble
 */

/**
 * The banner for a trouble: what happened, and below it what the pilot can do.
 * @param {Trouble} trouble
 * @param {{reason?: string, before?: boolean}} [more] reason: of the server; before: whether there was a connection
 * @returns {{text: string, small: string}}
 */
export function troubleText(trouble, { reason = "", before = true } = {}) {
  switch (trouble) {
    case "no answer":
      return { text: "SERVER STOPPED", small: "the program has ended or does not answer; trying again" };
    case "unknown token":
      return {
        text: before ? "SERVER RESTARTED" : "OLD ADDRESS",
        small: "this page belongs to an earlier run: open the address that the program has printed",
      };
    case "rejected":
      return { text: "SENT AWAY", small: `${reason}; trying again` };
    default:
      return { text: "NO CONNECTION", small: "trying again" };
  }
}

/**
 * Ask the server by HTTP whether it knows the token: the status of its answer, or 0 without an answer. The browser
 * hides from a page why a socket was refused, so the page has to ask before it opens one.
 * @param {{origin: string, search: string}} location
 * @returns {Promise<number>}
 */
export async function tokenStatus({ origin, search }) {
  const token = new URLSearchParams(search).get("token") ?? "";
  const address = `${origin}/check?${new URLSearchParams({ token })}`;
  try {
    const response = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(3000) });
    return response.status;
  } catch {
    return 0;
  }
}

/**
 * The wait before the n-th retry in ms, n from 0: doubles each time, up to a limit.
 * @param {number} tries
 */
export function backOff(tries) {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 20));
}

/**
 * The address of the socket, with token and name from the address of the page.
 * @param {{protocol: string, host: string, search: string}} location
 */
export function socketAddress(location) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const query = new URLSearchParams(location.search);
  const socketQuery = new URLSearchParams();
  for (const key of ["token", "name"]) {
    const value = query.get(key);
    if (value) socketQuery.set(key, value);
  }
  const text = socketQuery.toString();
  return `${scheme}//${location.host}/ws${text ? `?${text}` : ""}`;
}

/** The connection to the server, and the last hello, roster and status received over it. */
export class Link extends EventTarget {
  /**
   * @param {object} options
   * @param {string} options.address
   * @param {() => import("./types.js").Input} options.readInput the present stick positions
   * @param {(address: string) => WebSocket} [options.makeSocket]
   * @param {() => Promise<number>} [options.status] the HTTP status of the token, as `tokenStatus` gives it
   * @param {() => number} [options.clock] ms
   */
  constructor({
    address, readInput, makeSocket = (url) => new WebSocket(url), status = async () => 200,
    clock = () => performance.now(),
  }) {
    super();
    this.address = address;
    this.readInput = readInput;
    this.makeSocket = makeSocket;
    this.tokenStatus = status;
    /** @type {Trouble | null} */
    this.trouble = null;
    this.reason = ""; // of the server for closing the connection
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
    this.latency = NaN; // ms, round trip of a ping
    this.inputDelay = NaN; // ms, from an input to the first snapshot that acknowledges it
    /** @type {ReturnType<typeof setInterval>[]} */
    this.timers = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    this.running = false;
  }

  start() {
    if (this.running) return;
    this.running = true;
    this.open();
    // Timers, not animation frames: slow drawing must not slow down the inputs.
    this.timers.push(setInterval(() => this.sendInput(), 1000 / INPUT_HZ));
    this.timers.push(setInterval(() => this.send({ type: "ping", t: this.clock() }), PING_MS));
  }

  stop() {
    this.running = false;
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    clearTimeout(this.retryTimer);
    this.socket?.close();
    this.socket = null;
  }

  open() {
    const socket = this.makeSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.trouble = null;
      this.emit("open", {});
    });
    socket.addEventListener("message", (message) => this.receive(message.data));
    socket.addEventListener("close", (event) => this.handleClose(socket, event.reason));
  }

  /**
   * Reset what depends on the connection and schedule a retry; after a rejection with the longest wait.
   * @param {WebSocket} socket
   * @param {string} reason
   */
  handleClose(socket, reason) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.roster = null;
    this.latency = NaN;
    this.inputDelay = NaN;
    this.reason = reason;
    this.trouble = reason ? "rejected" : "lost";
    this.emit("close", {});
    this.scheduleRetry(reason !== "");
  }

  /**
   * Retry after a wait that grows with the number of tries.
   * @param {boolean} [slowly] with the longest wait at once
   */
  scheduleRetry(slowly = false) {
    if (!this.running) return;
    const wait = slowly ? LONGEST_WAIT_MS : backOff(this.tries);
    this.tries += 1;
    this.retryTimer = setTimeout(() => void this.retry(), wait);
  }

  /** Open a socket if the server knows the token; a server that does not would refuse every one. */
  async retry() {
    const status = await this.tokenStatus();
    if (!this.running || this.socket) return;
    if (status !== 0 && status !== FORBIDDEN) {
      this.open();
      return;
    }
    this.trouble = status === 0 ? "no answer" : "unknown token";
    this.emit("trouble", { kind: this.trouble });
    this.scheduleRetry(status === FORBIDDEN);
  }

  /** @param {unknown} data */
  receive(data) {
    try {
      if (data instanceof ArrayBuffer) this.receiveSnapshot(decodeSnapshot(data));
      else this.receiveText(parseMessage(String(data)));
    } catch (error) {
      this.emit("problem", { text: error instanceof Error ? error.message : String(error) });
    }
  }

  /** @param {import("./types.js").Snapshot} snapshot */
  receiveSnapshot(snapshot) {
    this.lastSnapshot = this.clock();
    this.tries = 0;
    if (this.steering() && snapshot.ack > this.ack) {
      // Snapshots repeat an ack until the next input is applied: only the first of them measures the delay.
      this.ack = snapshot.ack;
      this.inputDelay = smoothed(this.inputDelay, this.lastSnapshot - snapshot.echo);
    }
    this.emit("snapshot", snapshot);
  }

  /** @param {import("./types.js").ServerMessage} message */
  receiveText(message) {
    if (message.type === "pong") {
      this.latency = smoothed(this.latency, this.clock() - message.t);
      return;
    }
    if (message.type === "hello") {
      // A new id is a new connection: the server acknowledges to it only inputs sent from now on.
      if (this.hello?.you !== message.you) this.ack = this.seq;
      this.hello = message;
    }
    if (message.type === "roster") this.roster = message;
    if (message.type === "status") this.status = message;
    this.emit(message.type, message);
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  emit(type, detail) {
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

  /** Whether no snapshot has arrived for half a second although the run has not ended. */
  get lost() {
    if (this.hello === null || this.status?.phase === "ended") return false;
    return this.state !== "open" || this.clock() - this.lastSnapshot > LOST_MS;
  }

  sendInput() {
    const input = this.readInput(); // also while another page steers: reading the sticks polls the gamepad's buttons
    if (!this.steering() || this.state !== "open") return;
    this.seq += 1;
    this.send(inputMessage(this.seq, this.clock(), input));
  }

  /**
   * Send an order; false if it was not sent.
   * @param {string} name
   * @param {Record<string, any>} [values]
   */
  order(name, values = {}) {
    return this.send({ type: "order", name, values });
  }

  /**
   * Request, release or hand over a seat.
   * @param {"request" | "release" | "grant" | "refuse" | "take"} move
   * @param {"pilot" | "instructor"} [role]
   * @param {string} [to] id of the client whose request is granted or refused
   */
  lease(move, role = "pilot", to) {
    return this.send({ type: "lease", do: move, role, ...(to === undefined ? {} : { to }) });
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
      this.emit("problem", { text: `a message of ${text.length} characters is too long to send` });
      return false;
    }
    this.socket.send(text);
    return true;
  }
}

/**
 * An exponential moving average with the weight 0.2 for the new value.
 * @param {number} average NaN before the first value
 * @param {number} value
 */
function smoothed(average, value) {
  return Number.isFinite(average) ? average + 0.2 * (value - average) : value;
}
