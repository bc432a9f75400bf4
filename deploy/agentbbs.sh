#!/bin/sh
# agentbbs as the service runs it: its user, its settings, its data folder. Its place is /usr/local/bin/agentbbs.
set -eu

export AGENTBBS_DATA=/var/lib/agentbbs
if [ -r /etc/agentbbs.env ]; then
  # As systemd reads it: a setting a line, with or without quotes around its value; nothing in it is run.
  while read -r line || [ -n "$line" ]; do
    name=${line%%=*}
    value=${line#*=}
    case $name in
      '' | "$line" | [!A-Z]* | *[!A-Z0-9_]*) continue ;;
    esac
    case $value in
      \"*\" | \'*\') value=${value#?} value=${value%?} ;;
    esac
    export "$name=$value"
  done < /etc/agentbbs.env
fi

if [ "$(id -u)" = 0 ]; then
  exec runuser -u agentbbs -- node /opt/agentbbs/dist/cmd/agentbbs.js "$@"
fi
exec node /opt/agentbbs/dist/cmd/agentbbs.js "$@"
