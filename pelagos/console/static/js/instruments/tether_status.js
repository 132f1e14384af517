// Decodes `tether_status`: the bits of the simulation's `Status`, several of which may be set at once.

/** @typedef {"good" | "note" | "caution" | "alarm"} Kind */

/**
 * Bits of the status with their words and severities.
 * @type {{bit: number, word: string, kind: Kind}[]}
 */
export const STATUS = [
  { bit: 1, word: "slack", kind: "note" },
  { bit: 2, word: "unloaded", kind: "note" },
  { bit: 4, word: "taut", kind: "caution" },
  { bit: 8, word: "overload", kind: "alarm" },
  { bit: 16, word: "parted", kind: "alarm" },
  { bit: 32, word: "unreachable", kind: "alarm" },
  { bit: 64, word: "under-resolved", kind: "note" },
  { bit: 128, word: "other shapes possible", kind: "note" },
  { bit: 256, word: "not converged", kind: "caution" },
  { bit: 512, word: "aground", kind: "note" },
  { bit: 1024, word: "snagged", kind: "alarm" },
];

/** @type {Kind[]} */
const SEVERITIES = ["good", "note", "caution", "alarm"];

/**
 * A status in words, "taut, aground"; "ok" if no bit is set, "" if it is unknown.
 * @param {number} code
 */
export function statusWords(code) {
  if (!Number.isFinite(code)) return "";
  const words = STATUS.filter(({ bit }) => (code & bit) !== 0).map(({ word }) => word);
  return words.join(", ") || "ok";
}

/**
 * The highest severity of a status.
 * @param {number} code
 * @returns {Kind}
 */
export function statusKind(code) {
  let worst = 0;
  for (const { bit, kind } of STATUS) if ((code & bit) !== 0) worst = Math.max(worst, SEVERITIES.indexOf(kind));
  return SEVERITIES[worst];
}
