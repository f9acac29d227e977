#!/bin/sh
# Compiles the contracts and generates their types, saying nothing but errors. Takes the options of `hardhat build`;
# `--if-changed` before them leaves a build alone that is newer than its sources.
set -eu
cd "$(dirname "$0")/.."
exec >&2

if [ "${1-}" = --if-changed ]; then
  shift
  [ -f cache/built ] && [ -d artifacts/contracts ] && [ -d typechain-types ] &&
    [ -z "$(find contracts hardhat.config.ts package-lock.json -newer cache/built)" ] && exit
fi

mkdir -p cache
touch cache/build-started
hardhat build --quiet "$@" >cache/build.log 2>&1 || { cat cache/build.log && exit 1; }
# The generator rewrites every type and removes none: what is older belongs to a contract that is gone.
find typechain-types -type f ! -newer cache/build-started -delete
mv cache/build-started cache/built
