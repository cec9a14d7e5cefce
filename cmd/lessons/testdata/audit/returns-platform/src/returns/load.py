"""Writes frames into the warehouse."""

import polars as pl
from sqlalchemy import Connection, text


def replace_day(conn: Connection, table: str, day: str, frame: pl.DataFrame) -> int:
    conn.execute(text(f"delete from {table} where day = :day"), {"day": day})
    return frame.write_database(table, conn, if_table_exists="append")
