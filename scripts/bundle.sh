#!/bin/sh
# Bundles a program with all its modules into one file, unless the file is newer than its modules: loading them one by
# one takes longer than most commands.
set -eu
program=$1
file=cache/programs/$program.mjs
if [ ! -e "$file" ] || [ -n "$(find cli indexer scripts sdk typechain-types package-lock.json -newer "$file" -print -quit)" ]; then
  # Other commands may read the same file, so it must appear complete or not at all.
  draft=cache/programs/$$
  mkdir -p "$draft"
  touch "$draft/started"
  node_modules/.bin/esbuild "$program" --bundle --platform=node --format=esm --packages=external --keep-names \
    --log-level=error --outfile="$draft/program.mjs"
  touch -r "$draft/started" "$draft/program.mjs"
  mkdir -p "$(dirname "$file")"
  mv "$draft/program.mjs" "$file"
  rm -r "$draft"
fi
