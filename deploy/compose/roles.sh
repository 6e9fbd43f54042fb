#!/bin/sh
# The role of the service, which may not change what was recorded. Run once, when the database is made.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
    --set=password="$CARNET_SERVICE_PASSWORD" <<'SQL'
CREATE ROLE carnet_service LOGIN PASSWORD :'password';
SQL
