#!/bin/sh
# Compiles the committed contracts in two clones at different paths, each with its own packages. Compares every file of
# both builds: bytecode with its metadata, ABI, and the compiler's input and output. Also compares the generated types,
# which contain the bytecode, with the committed ones.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for clone in "$folder/one" "$folder/another/deeper/path"; do
  git clone --quiet . "$clone"
  (cd "$clone" && npm run -s setup && npm run -s build -- --no-tests && git diff --exit-code -- typechain-types)
done
diff --recursive "$folder/one/artifacts" "$folder/another/deeper/path/artifacts"
echo "Both builds are identical: $(find "$folder/one/artifacts" -type f | wc -l) files."
