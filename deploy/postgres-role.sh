#!/bin/sh
# Runs once, when the database of docker-compose.yml is made: a role that owns the database awp and nothing else, with a password of
# its own. That of the superuser opens every file of the database's host (COPY … PROGRAM), so the service does not have it.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE awp LOGIN PASSWORD :'password';
ALTER DATABASE awp OWNER TO awp;
ALTER SCHEMA public OWNER TO awp;
SQL
