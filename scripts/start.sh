#!/bin/sh
# Installs and builds what is missing, and starts. Only an index needs additional packages.
set -eu
cd "$(dirname "$0")/.."
case " $* " in
  *" --index"*) sh scripts/setup.sh indexer ;;
  *) sh scripts/setup.sh ;;
esac
sh scripts/build.sh --if-changed --or-restore --no-tests
exec sh scripts/run.sh scripts/start.ts "$@"
