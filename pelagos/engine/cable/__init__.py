"""The tether in the kernel: a chain of elastic elements, its drum and its ship."""
