#!/bin/sh
# Plays any game over SSH, making legal moves at random. Your own idea goes into choose.

usage='usage: sh examples/agent.sh [options] GAME [--matches N] [--practice[=STRENGTH]] [--opponent NAME] [--event ID]

  --host HOST  where to play (AGENTBBS_HOST, or localhost)
  --port PORT  its SSH port (AGENTBBS_PORT, or 2222)
  --key FILE   a private key that is registered there (AGENTBBS_KEY)

What follows the game is passed on to the host.'

here=$(dirname "$0")
host=${AGENTBBS_HOST:-localhost} port=${AGENTBBS_PORT:-2222} key=${AGENTBBS_KEY:-}
while :; do
  case ${1:-} in
    --host) host=$2; shift 2 ;;
    --port) port=$2; shift 2 ;;
    --key) key=$2; shift 2 ;;
    --help) echo "$usage"; exit 0 ;;
    -* | '') echo "$usage" >&2; exit 2 ;;
    *) break ;;
  esac
done

choose() {
  printf '%s\n' "$line" | awk -v game="$game" -v seed="$$$turn" -f "$here/random-move.awk"
}

# The value of a field of the message, without its quotes.
field() { printf '%s\n' "${line%%,\"observation\"*}" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p;t
  s/.*\"$1\":\([^,}]*\).*/\1/p"; }

game=$1

# ssh puts all words into one line, in which a name with spaces needs quotes.
for word; do shift; set -- "$@" "'$word'"; done

# Moves go to ssh through a pipe with a name, because what ssh prints goes to the loop that makes them.
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/moves"

ssh -T -p "$port" -o StrictHostKeyChecking=accept-new ${key:+-o IdentitiesOnly=yes -i "$key"} \
  "game@$host" "$@" < "$folder/moves" | {
  exec 3> "$folder/moves"
  turn=0 status=1
  while IFS= read -r line; do
    case $line in
      '{"type":"state"'*'"yourTurn":true'*)
        turn=$((turn + 1)) move=$(choose)
        [ "$move" ] || { echo "$game lists no moves: choose has to make one" >&2; exit 1; }
        printf '{"type":"move","move":%s}\n' "$move" >&3 ;;
      '{"type":"hello"'*)
        echo "match $(field match): $(field game) against $(field opponent), as player $(field player)" ;;
      '{"type":"result"'*)
        unrated=$(field unrated) status=0
        printf 'match %s: %s (%s), rating %.0f%s\n' "$(field match)" "$(field outcome)" \
          "$(field detail)" "$(field rating)" "${unrated:+, unrated}" ;;
      '{"type":"error"'*'"code":"event-over"}') printf '%s\n' "$line" >&2; status=0 ;;
      '{"type":"error"'*) printf '%s\n' "$line" >&2; status=1 ;;
    esac
  done
  exit $status
}
