#!/usr/bin/env bash
# Whether the layout of our own files is that of .clang-format.
#
#   tests/format/check_format.sh          say what differs
#   tests/format/check_format.sh --fix    change it
#
# Other versions of clang-format decide otherwise here and there: it must be 14.
# Without it the answer is 77 (skipped), and a failure where DELASSUS_CI is set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

formatter=
for name in clang-format-14 clang-format; do
  if command -v "$name" >/dev/null && "$name" --version | grep -q 'version 14\.'; then
    formatter=$name
    break
  fi
done
if [ -z "$formatter" ]; then
  echo "clang-format 14 is not installed (Debian: clang-format-14)"
  [ -z "${DELASSUS_CI:-}" ] || exit 1
  exit 77
fi

action=(--dry-run -Werror)
[ "${1:-}" != --fix ] || action=(-i)
find source include tests benchmarks cmake \
  \( -name '*.cc' -o -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 -n 50 "$formatter" "${action[@]}" || {
  echo "The layout of the files above differs: tests/format/check_format.sh --fix"
  exit 1
}
