#!/bin/sh
set -eu
git tag -s "v$1" -m "v$1"
git push origin "v$1"
