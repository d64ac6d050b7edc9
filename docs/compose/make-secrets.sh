#!/bin/sh
# Makes the secrets of a Compose file, each once, in ./secrets: what is there stays. `cat secrets/admin_password` shows the first user's.
set -eu
umask 077
mkdir -p secrets

random() {
  od -An -N "$1" -t x1 /dev/urandom | tr -d ' \n'
}

# The folder lets only its owner in; a container, which gets the files one by one, reads them as a user of its own.
make() {
  if [ ! -e "secrets/$1" ]; then
    printf '%s\n' "$2" > "secrets/.$1"
    chmod 444 "secrets/.$1"
    mv "secrets/.$1" "secrets/$1"
  fi
}

make admin_password "$(random 12)"
make secret_key_base "$(random 48)"
make postgres_password "$(random 24)"
make database_url "postgres://portolan:$(cat secrets/postgres_password)@postgres:5432/portolan"
