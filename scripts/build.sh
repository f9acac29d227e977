#!/bin/sh
# Compiles the contracts and generates their types. Prints errors only. Takes the options of `hardhat build`; with
# `--if-changed` before them it does nothing if the build is newer than its sources.
set -eu
cd "$(dirname "$0")/.."
exec >&2

# A folder changes with the names in it; what `npm run packages` writes into contracts/ is no source.
changed_sources() {
  find contracts hardhat.config.ts package-lock.json \
    \( -path contracts/abi -o -path contracts/artifacts -o -path contracts/deployments \) -prune -o \
    \( -name "*.sol" -o -type d -o ! -path "contracts/*" \) -newer cache/built -print
}

if [ "${1-}" = --if-changed ]; then
  shift
  [ -f cache/built ] && [ -d artifacts/contracts ] && [ -d typechain-types ] &&
    [ -z "$(changed_sources)" ] && exit
fi

mkdir -p cache
touch cache/build-started
hardhat build --quiet "$@" >cache/build.log 2>&1 || { cat cache/build.log && exit 1; }
# The generator rewrites every type and removes none: older files belong to removed contracts.
find typechain-types -type f ! -newer cache/build-started -delete
mv cache/build-started cache/built
