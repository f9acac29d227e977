#!/bin/sh
# Compiles the committed contracts in two clones at different paths, each with its own packages. Compares ABI and bytecode
# with its metadata of both builds, and the generated types, which contain the bytecode, with the committed ones.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for clone in "$folder/one" "$folder/another/deeper/path"; do
  git clone --quiet . "$clone"
  (cd "$clone" && npm run -s setup && npm run -s build -- --no-tests && git diff --exit-code -- typechain-types)
done
# Hardhat's id of a build depends on the path of the compiler.
diff --recursive --exclude build-info --ignore-matching-lines buildInfoId \
  "$folder/one/artifacts" "$folder/another/deeper/path/artifacts"
echo "Both builds are identical."
