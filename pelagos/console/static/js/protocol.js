// The messages of the link: taking a snapshot apart and checking what comes as text. No socket here.
// Snapshot, little-endian: u16 magic "PE", u8 version, u8 kind, u32 seq, u32 ack, u32 count, f64 time_s, f64 echo_ms,
// then `count` float32 in the order of hello.columns.

export const VERSION = 1;
export const HEADER_BYTES = 32;
export const MAGIC = 0x4550;
const STATE = 1;

/** Something the server sent that this page cannot read. */
export class ProtocolError extends Error {}

/**
 * @param {ArrayBuffer} buffer
 * @returns {import("./types.js").Snapshot}
 */
export function decodeSnapshot(buffer) {
  if (buffer.byteLength < HEADER_BYTES) {
    throw new ProtocolError(`a snapshot of ${buffer.byteLength} bytes is too short`);
  }
  const view = new DataView(buffer);
  if (view.getUint16(0, true) !== MAGIC) throw new ProtocolError("a binary message that is no snapshot");
  const version = view.getUint8(2);
  if (version !== VERSION) throw new ProtocolError(`snapshot version ${version}; this page reads ${VERSION}`);
  const kind = view.getUint8(3);
  if (kind !== STATE) throw new ProtocolError(`snapshot kind ${kind} is not known`);
  const count = view.getUint32(12, true);
  if (buffer.byteLength !== HEADER_BYTES + 4 * count) {
    throw new ProtocolError(`a snapshot of ${count} numbers has ${buffer.byteLength} bytes`);
  }
  return {
    seq: view.getUint32(4, true),
    ack: view.getUint32(8, true),
    time: view.getFloat64(16, true),
    echo: view.getFloat64(24, true),
    values: float32Block(view, count),
  };
}

/**
 * @param {DataView} view
 * @param {number} count
 */
function float32Block(view, count) {
  if (LITTLE) return new Float32Array(view.buffer, HEADER_BYTES, count);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i += 1) values[i] = view.getFloat32(HEADER_BYTES + 4 * i, true);
  return values;
}

const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** What each message must have, by name and kind of value. */
const NEEDED = /** @type {Record<string, Record<string, (value: unknown) => boolean>>} */ ({
  hello: { version: isNumber, you: isText, columns: Array.isArray, source: isObject },
  status: { phase: isText },
  event: { kind: isText },
  roster: { clients: Array.isArray },
  refused: { text: isText },
  result: {},
  pong: { t: isNumber },
  contacts: { time_s: isNumber, contacts: (value) => Array.isArray(value) && value.every(isContact) },
  links: { links: isObject },
});

/**
 * A text message of the server, checked for what the page needs of it.
 * @param {string} text
 * @returns {import("./types.js").ServerMessage}
 */
export function parseMessage(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    throw new ProtocolError("a text message that is not JSON");
  }
  if (!isObject(message)) throw new ProtocolError("a text message that is no object");
  const needed = Object.hasOwn(NEEDED, String(message.type)) ? NEEDED[String(message.type)] : undefined;
  if (!needed) throw new ProtocolError(`a message of type ${JSON.stringify(message.type)} is not known`);
  for (const [key, check] of Object.entries(needed)) {
    if (!check(message[key])) throw new ProtocolError(`a ${message.type} message without a proper ${key}`);
  }
  if (message.type === "hello" && message.version !== VERSION) {
    throw new ProtocolError(`the server speaks version ${message.version}, this page ${VERSION}: reload the page`);
  }
  return /** @type {import("./types.js").ServerMessage} */ (/** @type {unknown} */ (message));
}

/** @param {unknown} value */
function isNumber(value) {
  return typeof value === "number";
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === "string";
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a contact can be drawn.
 * @param {unknown} value
 */
function isContact(value) {
  if (!isObject(value)) return false;
  const sizes = [value.length_m, value.beam_m, value.height_m].every((size) => isNumber(size) && Number(size) > 0);
  /** @type {(list: unknown, count: number) => boolean} */
  const numbers = (list, count) => Array.isArray(list) && list.length === count && list.every(Number.isFinite);
  return sizes && isText(value.key) && numbers(value.position_m, 3) && numbers(value.quaternion, 4)
    && numbers(value.velocity_m_s, 3);
}

/**
 * An input message. Numbers are cut to four decimals: a stick has no more, and 40 of them go out each second.
 * @param {number} seq
 * @param {number} t ms of this page's clock
 * @param {import("./types.js").Input} input
 */
export function inputMessage(seq, t, input) {
  const sticks = /** @type {Record<string, number>} */ ({});
  for (const [axis, value] of Object.entries(input.sticks)) sticks[axis] = stick(value);
  return {
    type: "input", seq, t, sticks, pan: stick(input.pan), tilt: stick(input.tilt), zoom: stick(input.zoom),
  };
}

/**
 * A finite number in -1..1: what is no number is a stick that nobody touches.
 * @param {number} value
 */
export function stick(value) {
  if (!Number.isFinite(value)) return 0;
  return Math.round(Math.min(1, Math.max(-1, value)) * 1e4) / 1e4;
}
