#!/bin/sh
# One lot through four tiers: sends the chain, traces the lot, shows what is incomplete, makes the package for FDA.
# Usage, from any folder:  LOTKEEPER_URL=http://127.0.0.1:3000 LOTKEEPER_KEY=lk_… sh examples/chain.sh [folder for what is downloaded]
# May be run again: what is there already is answered with 409, and the walk goes on.
set -eu

: "${LOTKEEPER_URL:=http://127.0.0.1:3000}"
: "${LOTKEEPER_KEY:?set LOTKEEPER_KEY to a writer key, as npm start or keys create printed it}"
out=$(mkdir -p "${1:-.}" && cd "${1:-.}" && pwd)
cd "$(dirname "$0")/chain"
lot=GV26063-A

ask() { curl -sS --fail-with-body -H "Authorization: Bearer $LOTKEEPER_KEY" "$@"; }

for file in 0*.json; do
  status=$(curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $LOTKEEPER_KEY" -H 'Content-Type: application/json' \
    -d "@$file" "$LOTKEEPER_URL/data-provider/events/receiving")
  case $status in
    201) echo "$file: stored" ;;
    409) echo "$file: is there already" ;;
    *) echo "$file: answered with $status" >&2; exit 1 ;;
  esac
done

printf '\n== Who had lot %s, line by line\n' "$lot"
ask "$LOTKEEPER_URL/traceability/lots/$lot?format=csv" | tee "$out/lot-$lot.csv"

printf '\n== The same as a drawing, of the one packer: %s\n' "$out/lot-$lot.svg"
ask "$LOTKEEPER_URL/traceability/lots/$lot?format=svg&tlcSource=0614141000012" -o "$out/lot-$lot.svg"

printf '\n== How complete are the lines of each vendor?\n'
ask "$LOTKEEPER_URL/traceability/completeness?eventStartDate=2026-03-01&eventEndDate=2026-03-31"

printf '\n\n== Which events lack what\n'
ask "$LOTKEEPER_URL/traceability/gaps?eventStartDate=2026-03-01&eventEndDate=2026-03-31"

printf '\n\n== The package for FDA: %s\n' "$out/fda-package.zip"
ask "$LOTKEEPER_URL/traceability/fda-package?eventStartDate=2026-03-01&eventEndDate=2026-03-31&lotCode=$lot&gaps=true" -o "$out/fda-package.zip"

printf '\nDone.\n'
