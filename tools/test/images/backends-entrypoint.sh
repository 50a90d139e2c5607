#!/bin/sh
# Starts the backends of the compose files, in an image that has all of them: as their own images do, it
# runs its command, or without one PostgreSQL where POSTGRES_DB names a database, else RabbitMQ.
set -eu
[ $# -eq 0 ] || exec "$@"
if [ -z "${POSTGRES_DB:-}" ]; then
  [ -z "${RABBITMQ_DEFAULT_USER:-}" ] || {
    mkdir -p /etc/rabbitmq/conf.d
    printf 'default_user = %s\ndefault_pass = %s\n' "$RABBITMQ_DEFAULT_USER" "$RABBITMQ_DEFAULT_PASS" \
      >/etc/rabbitmq/conf.d/10-user.conf
  }
  exec rabbitmq-server
fi

programs=$(echo /usr/lib/postgresql/*/bin)
data=/var/lib/postgresql/docker
user=${POSTGRES_USER:-postgres}
as_postgres() {
  setpriv --reuid=postgres --regid=postgres --init-groups "$@"
}
if [ ! -s "$data/PG_VERSION" ]; then
  install --directory --owner=postgres --group=postgres --mode=700 "$data"
  if [ -z "${POSTGRES_PASSWORD_FILE:-}" ]; then
    POSTGRES_PASSWORD_FILE=/tmp/password
    echo "$POSTGRES_PASSWORD" >"$POSTGRES_PASSWORD_FILE"
  fi
  as_postgres "$programs/initdb" --pgdata="$data" --username="$user" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --encoding=UTF8 --auth-host=scram-sha-256 --auth-local=trust
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  as_postgres "$programs/pg_ctl" --pgdata="$data" --wait --options="-c listen_addresses=''" start
  as_postgres createdb --username="$user" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sql; do
    [ ! -e "$script" ] || as_postgres psql --username="$user" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --file="$script"
  done
  as_postgres "$programs/pg_ctl" --pgdata="$data" --wait stop
fi
# Ends at once, as the image of PostgreSQL does: SIGTERM waits until all clients have gone.
trap 'kill -INT $server' TERM
setpriv --reuid=postgres --regid=postgres --init-groups "$programs/postgres" -D "$data" -c 'listen_addresses=*' &
server=$!
wait $server || wait $server
