"""An estimate next to a published number."""


def within(label: str, estimate: float, published: float, factor: float) -> None:
    """Print how far an estimate is off, and hold it to the stated factor either way."""
    ratio = estimate / published
    print(f"{label}: estimate {estimate:.4g}, published {published:.4g}, ratio {ratio:.2f} (allowed {factor:g})")
    assert 1.0 / factor <= ratio <= factor, label
