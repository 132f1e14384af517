"""The standard figures of a run; each is called a page."""
