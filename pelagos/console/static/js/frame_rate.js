// Frame rate of the camera picture: measures it, limits it, and detects drawing that is too slow for high quality.

/** Measures frames per second over the last second. */
export class FrameRate {
  constructor() {
    /** @type {number[]} */
    this.times = [];
  }

  /** @param {number} now ms */
  count(now) {
    this.times.push(now);
    while (this.times.length > 2 && now - this.times[0] > 1000) this.times.shift();
  }

  get hz() {
    const span = this.times[this.times.length - 1] - this.times[0];
    return span > 0 ? (1000 * (this.times.length - 1)) / span : NaN;
  }
}

/**
 * Limits the frame rate at an even interval. The next due time follows from the last one, not from the time of the
 * frame, so that frames which come a little late do not lower the rate.
 */
export class FrameGate {
  constructor() {
    this.due = -Infinity;
  }

  /**
   * Whether the frame at this time may be drawn.
   * @param {number} now ms
   * @param {number | null | undefined} limit Hz; without a limit every frame passes
   */
  passes(now, limit) {
    if (!limit || !(limit > 0)) return true;
    const period = 1000 / limit;
    if (now < this.due - 1) return false; // timestamps of animation frames jitter by up to a millisecond
    this.due = now - this.due > period ? now + period : this.due + period;
    return true;
  }
}

const SLOW_MS = 50;
const MOST_SLOW = 40; // slow frames before the quality is lowered; a fast frame cancels two of them
const STALL_MS = 1000; // a longer gap comes from a hidden page or a suspended machine, not from drawing

/** Detects drawing that stays slow. */
export class SlowWatch {
  constructor() {
    this.slow = 0;
  }

  /**
   * Count a frame; true once when too many frames were slow, then counting restarts.
   * @param {number} interval ms since the last frame
   * @returns {boolean} whether to lower the quality
   */
  count(interval) {
    if (interval > STALL_MS) return false;
    this.slow = interval > SLOW_MS ? this.slow + 1 : Math.max(0, this.slow - 2);
    if (this.slow < MOST_SLOW) return false;
    this.slow = 0;
    return true;
  }
}
