"""DIS PDUs and their byte layout."""
