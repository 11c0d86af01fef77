#!/bin/sh
# Two farms, a salad and three stores: sends the chain, traces a lot, follows it forward and back, counts what is left,
# shows what is incomplete, makes the package for FDA.
# Usage, from any folder:  LOTKEEPER_URL=http://127.0.0.1:3000 LOTKEEPER_KEY=lk_… sh examples/chain.sh [folder for what is downloaded]
# May be run again: what is there already is answered with 409, and the walk goes on.
set -eu

: "${LOTKEEPER_URL:=http://127.0.0.1:3000}"
: "${LOTKEEPER_KEY:?set LOTKEEPER_KEY to a writer key, as npm start or keys create printed it}"
out=$(mkdir -p "${1:-.}" && cd "${1:-.}" && pwd)
cd "$(dirname "$0")/chain"
lot=GV26063-A salad=BFC26064-1 packer=0614141000012
march='eventStartDate=2026-03-01&eventEndDate=2026-03-31'

ask() { curl -sS --fail-with-body -H "Authorization: Bearer $LOTKEEPER_KEY" "$@"; }
send() { curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $LOTKEEPER_KEY" -H 'Content-Type: application/json' "$@"; }
notes() { grep -o '"message":"[^"]*"' "$1" | cut -d '"' -f 4; }

for file in [0-9]*.json; do
  kind=$(echo "$file" | cut -d . -f 2)
  status=$(send -d "@$file" "$LOTKEEPER_URL/data-provider/events/$kind")
  case $status in
    201) echo "$file: stored" ;;
    409) echo "$file: is there already" ;;
    *) echo "$file: answered with $status" >&2; exit 1 ;;
  esac
done

status=$(send -X PUT -d @unit-conversions.json "$LOTKEEPER_URL/unit-conversions")
case $status in
  200) echo 'A case of the salad has 6 pieces: stated' ;;
  403) echo 'A case of the salad has 6 pieces: only an administrator states that, so cases and pieces stay side by side' ;;
  *) echo "unit-conversions.json: answered with $status" >&2; exit 1 ;;
esac

printf '\n== Who had lot %s, line by line\n' "$lot"
ask "$LOTKEEPER_URL/traceability/lots/$lot?format=csv" | tee "$out/lot-$lot.csv"

printf '\n== The same as a drawing, of the one packer: %s\n' "$out/lot-$lot.svg"
ask "$LOTKEEPER_URL/traceability/lots/$lot?format=svg&tlcSource=$packer" -o "$out/lot-$lot.svg"

printf '\n== What was made of it, and where that is: %s\n' "$out/made-of-$lot.json"
ask "$LOTKEEPER_URL/traceability/lots/$lot/chain?tlcSource=$packer" -o "$out/made-of-$lot.json"
notes "$out/made-of-$lot.json"

printf '\n== Of which lots and farms the salad %s was made: %s\n' "$salad" "$out/origin-of-$salad.json"
ask "$LOTKEEPER_URL/traceability/lots/$salad/chain?direction=back" -o "$out/origin-of-$salad.json"
notes "$out/origin-of-$salad.json"

printf '\n== How complete are the lines of each vendor?\n'
ask "$LOTKEEPER_URL/traceability/completeness?$march"

printf '\n\n== Which events lack what\n'
ask "$LOTKEEPER_URL/traceability/gaps?$march"

printf '\n\n== Where shipped and received goods differ\n'
ask "$LOTKEEPER_URL/traceability/differences?$march&format=csv"

printf '\n== The spreadsheet for FDA, with a sheet for each kind of event: %s\n' "$out/fda-spreadsheet.xlsx"
ask "$LOTKEEPER_URL/traceability/fda-spreadsheet?$march" -o "$out/fda-spreadsheet.xlsx"

printf '\n== The package for FDA, of this lot: %s\n' "$out/fda-package.zip"
ask "$LOTKEEPER_URL/traceability/fda-package?$march&lotCode=$lot&gaps=true" -o "$out/fda-package.zip"

printf '\nDone.\n'
