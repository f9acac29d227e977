#!/bin/sh
# Compiles the contracts and generates their types. Prints errors only. Takes the options of `hardhat build`. Before them:
# `--if-changed` does nothing if the build is newer than its sources; `--or-restore` also takes the artifacts from the
# generated types, where those are of the sources.
set -eu
cd "$(dirname "$0")/.."
exec >&2

contracts() {
  find contracts -name "*.sol" | sort
}

# A build lists the contracts of which it is, since a file that was removed is not newer.
is_newer() {
  [ -d artifacts/contracts ] && [ -d typechain-types ] && contracts | cmp -s "$1" - &&
    [ -z "$(find $(contracts) hardhat.config.ts package-lock.json -newer "$1")" ]
}

mkdir -p cache
if [ "${1-}" = --if-changed ]; then
  shift
  is_newer cache/built && exit
fi
if [ "${1-}" = --or-restore ]; then
  shift
  is_newer cache/restored && exit
  contracts >cache/restore-started
  if node_modules/.bin/tsx scripts/build/restore.ts; then
    mv cache/restore-started cache/restored
    exit
  fi
fi

contracts >cache/build-started
hardhat build --quiet "$@" >cache/build.log 2>&1 || { cat cache/build.log && exit 1; }
# The generator rewrites every type and removes none: older files belong to removed contracts.
find typechain-types -type f ! -newer cache/build-started -delete
node_modules/.bin/tsx scripts/build/record.ts
mv cache/build-started cache/built
