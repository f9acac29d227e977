#!/bin/sh
# Installs the packages of the lock file that every command needs, unless they are installed. With the argument
# `indexer` or `test`, also installs the packages that only the index or the tests need.
set -eu
cd "$(dirname "$0")/.."
exec >&2

# Prints the path of a package that only the given workspace needs.
mark() {
  case "$1" in
    indexer) echo node_modules/ponder ;;
    test) echo node_modules/oxlint ;;
  esac
}

installed() {
  cmp -s package-lock.json node_modules/.installed-lock || return 1
  ls node_modules/@nomicfoundation/edr-*/package.json >/dev/null 2>&1 || return 1
  for workspace; do [ -d "$(mark "$workspace")" ] || return 1; done
}

installed "$@" && exit
echo "Installing packages${1+, with those for: $*} ..."
# Packages that were installed for other commands stay installed.
for workspace in indexer test; do
  case " $* " in *" $workspace "*) continue ;; esac
  if [ -d "$(mark "$workspace")" ]; then set -- "$@" "$workspace"; fi
done
INSTALLED_WORKSPACES="--include-workspace-root -w sdk -w contracts -w page"
for workspace; do INSTALLED_WORKSPACES="$INSTALLED_WORKSPACES -w $workspace"; done
export INSTALLED_WORKSPACES
# After `npm ci`, the script `postinstall` adds the engine.
npm ci $INSTALLED_WORKSPACES --include=dev --include=optional --no-audit --no-fund --loglevel=error
installed "$@" && exit
echo "The Hardhat engine could not be installed: Node $(node --version) is too old here, use 22.13 or newer." && exit 1
