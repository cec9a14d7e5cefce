"""The command `returns`."""

import sys

from returns.backfill import backfill


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] != "backfill":
        sys.stderr.write("usage: returns backfill YYYY-MM-DD\n")
        return 2
    backfill(sys.argv[2])
    return 0
