"""The report of a campaign: HTML page, JSON numbers and figures."""
