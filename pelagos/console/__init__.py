"""The pilot's console: a page in the browser on the running physics, flown, watched and replayed."""
