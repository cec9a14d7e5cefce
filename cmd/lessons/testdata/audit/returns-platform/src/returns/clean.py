"""Pure functions from frame to frame."""

import polars as pl

REASONS = {"D": "damaged", "W": "wrong size", "N": "not as described"}


def drop_duplicates(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.unique(subset="event_id", keep="last", maintain_order=True)


def name_reasons(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("reason").replace(REASONS))
