#!/bin/sh
# Installs the packages, including the chain engine for this version of Node, unless those of the lock file are installed.
set -eu
cd "$(dirname "$0")/.."
exec >&2

installed() {
  cmp -s package-lock.json node_modules/.installed-lock && ls node_modules/@nomicfoundation/edr-*/package.json >/dev/null 2>&1
}

installed && exit
echo "Installing packages ..."
npm ci --include=dev --include=optional --no-audit --no-fund --loglevel=error # its postinstall adds the engine
installed && exit
echo "The Hardhat engine could not be installed: Node $(node --version) is too old here, use 22.13 or newer." && exit 1
