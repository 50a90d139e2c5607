#!/bin/sh
# Starts the backends of the compose file, in an image that has all of them: as their own images do, it
# runs its command, or without one PostgreSQL where POSTGRES_DB names a database, else RabbitMQ.
set -eu
[ $# -eq 0 ] || exec "$@"
[ -n "${POSTGRES_DB:-}" ] || exec rabbitmq-server

programs=$(echo /usr/lib/postgresql/*/bin)
data=/var/lib/postgresql/docker
as_postgres() {
  setpriv --reuid=postgres --regid=postgres --init-groups "$@"
}
if [ ! -s "$data/PG_VERSION" ]; then
  install --directory --owner=postgres --group=postgres --mode=700 "$data"
  as_postgres "$programs/initdb" --pgdata="$data" --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" \
    --encoding=UTF8 --auth-host=scram-sha-256 --auth-local=trust
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  as_postgres "$programs/pg_ctl" --pgdata="$data" --wait --options="-c listen_addresses=''" start
  as_postgres createdb --username=postgres "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sql; do
    as_postgres psql --username=postgres --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --file="$script"
  done
  as_postgres "$programs/pg_ctl" --pgdata="$data" --wait stop
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups "$programs/postgres" -D "$data" -c 'listen_addresses=*'
