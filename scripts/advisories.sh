#!/bin/sh
# Fails on advisories about packages of the project or of its manual that are not accepted.
cd "$(dirname "$0")/.."
{
  npm audit --json
  npm audit --json --prefix manual
} | tsx scripts/advisories.ts
