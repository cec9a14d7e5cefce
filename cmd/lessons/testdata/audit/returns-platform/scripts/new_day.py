"""Prints the prefix of a day."""

import sys

sys.stdout.write(f"day={sys.argv[1]}\n")
