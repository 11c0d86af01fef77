#!/bin/sh
# The first calls, one after another: create, read, dry run, replace, history, undo, search, a refused payload.
# Usage, from any folder:  LOTKEEPER_URL=http://127.0.0.1:3000 LOTKEEPER_KEY=lk_… sh examples/quickstart.sh
# May be run again: the create is then answered with 409, and the walk goes on with the record that is there.
set -eu

: "${LOTKEEPER_URL:=http://127.0.0.1:3000}"
: "${LOTKEEPER_KEY:?set LOTKEEPER_KEY to a writer key, as npm start or keys create printed it}"
cd "$(dirname "$0")"
events="$LOTKEEPER_URL/data-provider/events/receiving"
headers=$(mktemp)
body=$(mktemp)
version1=$(mktemp)
trap 'rm -f "$headers" "$body" "$version1"' EXIT

# call <what it shows> <curl arguments…>: prints status, ETag and body, and keeps them in $status, $etag and the file $body.
call() {
  printf '\n== %s\n' "$1"
  shift
  status=$(curl -sS -D "$headers" -o "$body" -w '%{http_code}' -H "Authorization: Bearer $LOTKEEPER_KEY" -H 'Content-Type: application/json' "$@")
  etag=$(sed -n 's/^[Ee][Tt][Aa][Gg]: *//p' "$headers" | tr -d '\r')
  printf 'HTTP %s%s\n' "$status" "${etag:+, ETag $etag}"
  cat "$body"
  echo
}

# want <statuses…>: ends the walk when the last call was answered otherwise.
want() {
  case " $* " in
    *" $status "*) ;;
    *) echo "This was not expected; the walk ends here." >&2; exit 1 ;;
  esac
}

call 'Create a receiving event (POST)' -d @receiving-event.json "$events"
want 201 409
if [ "$status" = 409 ]; then
  id=$(sed -n 's/.*"heldBy":"\([^"]*\)".*/\1/p' "$body")
  echo "Its event date time is taken by record $id: this walk was taken before. It goes on with that record."
else
  id=$(sed -n 's/.*"request_ids":\["\([^"]*\)".*/\1/p' "$body")
fi

call 'Read it (GET)' "$events/$id"
want 200
read_etag=$etag

call 'Dry run of the correction: what would it change?' -X PUT -d @receiving-event-corrected.json "$events/$id?dryRun=true"
want 200

call 'Replace it as a whole, if nobody else did since it was read (PUT, If-Match), and say what changed (Prefer)' \
  -X PUT -H "If-Match: $read_etag" -H 'Prefer: return=representation' -d @receiving-event-corrected.json "$events/$id"
want 200

call 'The history, newest first' "$events/$id/versions"
want 200

call 'The first version' "$events/$id/versions/1"
want 200
cp "$body" "$version1"

call 'Undo: send the first version back' -X PUT -H 'Prefer: return=representation' -d "@$version1" "$events/$id"
want 200

call 'The same again: the content is unchanged, and no version is made' -X PUT -d "@$version1" "$events/$id"
want 200

call 'Search by lot code' "$events?lotCode=GV26063-B&limit=1"
want 200

call 'A payload that breaks the contract: every finding at once, nothing stored' -X PUT -d '{"eventlist":{}}' "$events/$id"
want 422

printf '\nDone. The record is %s/%s\n' "$events" "$id"
