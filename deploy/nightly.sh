#!/bin/sh
# In the service `backup` of docker-compose.yml: a backup every day at 02:15 UTC, of which the number in its argument is kept, and on Sundays a restore of it on
# trial. What fails is in the log, and `awp doctor` reports how old the last ones are.
set -u
while :; do
  sleep $((86400 - ($(date +%s) - 8100) % 86400))
  awp backup /backups --ring /rings --keep "$1"
  if [ "$(date -u +%u)" = 7 ]; then awp restore-drill /backups --ring /rings; fi
done
