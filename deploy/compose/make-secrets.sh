#!/bin/sh
# Makes the secrets of the compose file, once: `sh make-secrets.sh`. What is there stays; a file that you put there
# yourself, such as the keys of a bucket, does, too. Each file holds one secret, without a line end.
set -eu
folder=${1:-secrets}

random() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

# make <file> <text>
make() {
  [ -s "$folder/$1" ] && return
  printf %s "$2" >"$folder/$1"
  echo "made $folder/$1"
}

# login <name>: password and URL of a login of the database
login() {
  make "postgres-$1-password" "$(random)"
  make "$1-database-url" \
    "postgres://lintel_$(echo "$1" | tr - _):$(cat "$folder/postgres-$1-password")@postgres:5432/lintel"
}

# Only its owner may look into the folder; the users of the containers must be able to read the files.
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

make postgres-password "$(random)"
login owner
login auth
login files
login reports
login report-data
make redis-password "$(random)"
make redis-url "redis://:$(cat "$folder/redis-password")@redis:6379/0"
make rabbitmq-password "$(random)"
make rabbitmq.conf "default_user = lintel
default_pass = $(cat "$folder/rabbitmq-password")
"
make broker-urls "amqp://lintel:$(cat "$folder/rabbitmq-password")@rabbitmq:5672"
make s3-access-key lintel
make s3-secret-key "$(random)"
# Of the user admin, with the profile observability.
make grafana-password "$(random)"
# Calls between the services.
make internal-secret "$(random)"
# Opens the signing keys in the database: without it all issued tokens are void. Keep it with the backups.
make key-encryption-secret "$(random)"
