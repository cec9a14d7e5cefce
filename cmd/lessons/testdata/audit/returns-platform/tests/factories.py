"""Makes events up."""

import polars as pl


def events(n: int = 3) -> pl.DataFrame:
    return pl.DataFrame({"event_id": list(range(n)), "reason": ["D"] * n})
