"""Control allocation: from a wrench to thrusters and control surfaces."""
