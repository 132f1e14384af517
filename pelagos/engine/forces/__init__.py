"""Forces on the vehicle: one module for each term of the equation of motion."""
