// Decodes and checks the messages of the server and builds input messages; `link.js` owns the socket.
// Snapshot, little-endian: u16 magic "PE", u8 version, u8 kind, u32 seq, u32 ack, u32 count, f64 time_s, f64 echo_ms,
// then `count` float32 in the order of hello.columns.

export const VERSION = 1;
export const HEADER_BYTES = 32;
export const MAGIC = 0x4550;
const STATE = 1;

/** A message of the server that this page cannot read. */
export class ProtocolError extends Error {}

/**
 * Decode a binary snapshot.
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
 * The values of a snapshot: a view of the buffer, or a copy on a big-endian machine.
 * @param {DataView} view
 * @param {number} count
 */
function float32Block(view, count) {
  if (LITTLE_ENDIAN) return new Float32Array(view.buffer, HEADER_BYTES, count);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i += 1) values[i] = view.getFloat32(HEADER_BYTES + 4 * i, true);
  return values;
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The keys that each type of message must have, with a check of the value. */
const REQUIRED = /** @type {Record<string, Record<string, (value: unknown) => boolean>>} */ ({
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
 * Parse a text message of the server and check the keys that the page reads.
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
  const type = String(message.type);
  const required = Object.hasOwn(REQUIRED, type) ? REQUIRED[type] : undefined;
  if (!required) throw new ProtocolError(`a message of type ${JSON.stringify(message.type)} is not known`);
  for (const [key, check] of Object.entries(required)) {
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
 * Whether a value is a contact with everything that is needed to draw it.
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
 * An input message. Rounding to four decimals keeps it short: the page sends 40 of them each second.
 * @param {number} seq
 * @param {number} t ms of this page's clock
 * @param {import("./types.js").Input} input
 */
export function inputMessage(seq, t, input) {
  const sticks = /** @type {Record<string, number>} */ ({});
  for (const [axis, value] of Object.entries(input.sticks)) sticks[axis] = stickValue(value);
  return {
    type: "input", seq, t, sticks,
    pan: stickValue(input.pan), tilt: stickValue(input.tilt), zoom: stickValue(input.zoom),
  };
}

/**
 * A stick position limited to -1..1 and rounded; 0 if it is not a finite number.
 * @param {number} value
 */
export function stickValue(value) {
  if (!Number.isFinite(value)) return 0;
  return Math.round(Math.min(1, Math.max(-1, value)) * 1e4) / 1e4;
}
