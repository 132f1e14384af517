// How fast pictures come, how fast they may come, and whether that is too slow for the better quality.

/** Pictures a second, over the last second or so. */
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

/** Lets through so many a second, at an even beat: frames that come a little early are not lost. */
export class FrameGate {
  constructor() {
    this.due = -Infinity;
  }

  /**
   * @param {number} now ms
   * @param {number | null | undefined} limit Hz; without one everything passes
   */
  passes(now, limit) {
    if (!limit || !(limit > 0)) return true;
    const period = 1000 / limit;
    if (now < this.due - 1) return false; // a frame is up to a millisecond off its beat
    this.due = now - this.due > period ? now + period : this.due + period;
    return true;
  }
}

const SLOW_MS = 50;
const PATIENCE = 40;

/** Says once that drawing has been slow for a while. */
export class SlowWatch {
  constructor() {
    this.slow = 0;
  }

  /**
   * @param {number} spent ms from frame to frame
   * @returns {boolean} whether it is time to do with less
   */
  count(spent) {
    if (spent > 1000) return false; // a hidden page or a stopped machine says nothing of drawing
    this.slow = spent > SLOW_MS ? this.slow + 1 : Math.max(0, this.slow - 2);
    if (this.slow < PATIENCE) return false;
    this.slow = 0;
    return true;
  }
}
