"""Many vehicles at once: the forces of the kernel on SIMD lanes and threads, with arrays as input and output."""
