#!/bin/sh
# Compiles the contracts and generates their types. Prints only errors. Passes its options to `hardhat build`, except two
# that come first: `--if-changed` does nothing if the build is newer than its sources. `--or-restore` restores the
# artifacts from the generated types, if these match the sources.
set -eu
cd "$(dirname "$0")/.."
exec >&2

contracts() {
  find contracts -name "*.sol" | sort
}

# A build lists its contracts, since a contract that was removed afterwards is not newer than the build.
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
# The generator rewrites every type, but removes no file: older files belong to removed contracts.
find typechain-types -type f ! -newer cache/build-started -delete
node_modules/.bin/tsx scripts/build/record.ts
mv cache/build-started cache/built
