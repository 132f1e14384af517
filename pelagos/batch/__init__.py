"""Many vehicles at once: the kernel's forces on SIMD lanes and threads, arrays in and out."""
