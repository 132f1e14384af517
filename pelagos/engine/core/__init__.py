"""The kernel: record layout, algebra, mass, the equation of motion, integrators."""
