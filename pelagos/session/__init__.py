"""Running flights: orders, control authority, links, the real-time loop, recordings."""
