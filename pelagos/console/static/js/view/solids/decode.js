// Decodes arrays of numbers from base64.

/**
 * The bytes of a base64 text.
 * @param {string} text
 * @returns {ArrayBuffer}
 */
function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

/**
 * Decode floats. The typed array reads them in the machine's byte order: little-endian on every browser's platform.
 * @param {string} text base64 of little-endian float32
 */
export function float32s(text) {
  return new Float32Array(bytes(text));
}

/**
 * Decode unsigned integers.
 * @param {string} text base64 of little-endian uint32
 */
export function uint32s(text) {
  return new Uint32Array(bytes(text));
}
