#!/bin/sh
# agentbbs as the service runs it: its user, its settings, its data folder. Its place is /usr/local/bin/agentbbs.
set -eu

export AGENTBBS_DATA=/var/lib/agentbbs
if [ -r /etc/agentbbs.env ]; then
  # As systemd reads it, a setting a line; nothing in it is run.
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      [A-Z]*=*) export "$line" ;;
    esac
  done < /etc/agentbbs.env
fi

if [ "$(id -u)" = 0 ]; then
  exec runuser -u agentbbs -- node /opt/agentbbs/dist/cmd/agentbbs.js "$@"
fi
exec node /opt/agentbbs/dist/cmd/agentbbs.js "$@"
