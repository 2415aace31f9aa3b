#!/bin/sh
# Ends with 0 where the process of this container responds, at the address, port and scheme of its settings: the health of
# the image. It asks for /livez: what restarts an unhealthy container must not do so because the database is away.
case "${HOST:-0.0.0.0}" in
  0.0.0.0 | ::) host=127.0.0.1 ;;
  *:*) host="[$HOST]" ;;
  *) host=$HOST ;;
esac
# The certificate names another address than this one.
exec curl --silent --fail --insecure --max-time 4 --output /dev/null "http${TLS_CERT_FILE:+s}://$host:${PORT:-3000}/livez"
