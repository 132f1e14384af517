"""Control allocation: from a wrench to thrusts and deflections of control surfaces."""
