"""Reports of `pelagos reproduce`: HTML, JSON, pages."""
