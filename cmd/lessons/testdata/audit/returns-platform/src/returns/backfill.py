"""Runs a day again."""

from datetime import date

import structlog

log = structlog.get_logger(__name__)


def backfill(day: str) -> None:
    log.info("backfill", day=date.fromisoformat(day).isoformat())
