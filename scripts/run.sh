#!/bin/sh
# Runs a program in its current state: bundles it again if its modules have changed.
set -eu
program=$1
shift
sh scripts/bundle.sh "$program"
# Hardhat's configuration is TypeScript, which older versions of Node load only with this option.
exec node --experimental-strip-types --disable-warning=ExperimentalWarning "cache/programs/$program.mjs" "$@"
