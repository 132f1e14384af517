// Blocks of numbers that travel as base64.

/**
 * @param {string} text base64
 * @returns {ArrayBuffer}
 */
function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

/** @param {string} text base64 of little-endian float32 */
export function floats(text) {
  return new Float32Array(bytes(text));
}

/** @param {string} text base64 of little-endian uint32 */
export function whole(text) {
  return new Uint32Array(bytes(text));
}
