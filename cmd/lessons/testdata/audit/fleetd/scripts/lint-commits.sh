#!/bin/sh
set -eu
git log --format=%s origin/main..HEAD | grep -vE '^[a-z]+: ' && exit 1 || exit 0
