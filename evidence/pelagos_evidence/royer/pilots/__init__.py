"""The piloting experiments of chapter 7, flown by an operator model."""
