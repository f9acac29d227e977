#!/bin/sh
# Runs one of the programs as its modules are now.
set -eu
program=$1
shift
sh scripts/bundle.sh "$program"
# Hardhat's settings are TypeScript, which older versions of Node take by this option only.
exec node --experimental-strip-types --disable-warning=ExperimentalWarning "cache/programs/$program.mjs" "$@"
