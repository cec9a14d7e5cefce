"""Reads one day of events."""

from pathlib import Path

import polars as pl


def read_day(root: Path, day: str) -> pl.DataFrame:
    return pl.read_parquet(root / f"day={day}" / "*.parquet")
