#!/bin/sh
# Installs the packages that only the manual's site needs, unless they are installed. They have a lock file and a folder
# of their own, so that no other command installs them, and none loses its packages while they are installed.
set -eu
cd "$(dirname "$0")/../.."
exec >&2

installed() {
  cmp -s manual/package-lock.json manual/node_modules/.installed-lock
}

installed && exit
echo "Installing the packages of the manual ..."
npm ci --prefix manual --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error
cp manual/package-lock.json manual/node_modules/.installed-lock
