"""Check a vehicle: physical plausibility, behaviour, published figures."""
