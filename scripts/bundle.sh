#!/bin/sh
# Puts a program with all its modules into one file, unless that is newer than they are: to load them one by one takes
# longer than most commands do.
set -eu
program=$1
file=cache/programs/$program.mjs
if [ ! -e "$file" ] || [ -n "$(find cli indexer scripts sdk typechain-types package-lock.json -newer "$file" -print -quit)" ]; then
  # Other commands read the same: nobody may see half of it.
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
