"""Links for tests: one records its calls, and some raise errors or block."""


class Watcher:
    """Rides along and remembers; `fails` names the method that raises."""

    def __init__(self, name="watcher", fails="", act=None):
        self.name, self.fails, self.act = name, fails, act
        self.calls, self.events, self.times = [], [], []
        self.closed = 0
        self.frozen = False

    def _called(self, what, afloat):
        self.calls.append(what)
        if self.act is not None:
            self.act(what, afloat)
        if what == self.fails:
            raise RuntimeError(f"{self.name} breaks in {what}")

    def begin(self, afloat):
        self._called("begin", afloat)

    def before(self, afloat):
        self._called("before", afloat)

    def after(self, afloat, events):
        self.events += events
        self.times.append(afloat.time_s)
        self._called("after", afloat)

    def idle(self, afloat):
        self._called("idle", afloat)

    def counts(self):
        if self.fails == "counts":
            raise RuntimeError("no numbers")
        return {"calls": len(self.calls)}

    def close(self):
        self.closed += 1
        if self.fails == "close":
            raise OSError("it does not close")
