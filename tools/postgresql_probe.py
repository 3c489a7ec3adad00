"""Look at a PostgreSQL database and print as JSON what is there. Label Studio's interpreter runs this file: ours has no client."""

import json
import os

import psycopg

#: Seconds after which an address that does not answer is given up.
TIMEOUT = 10
QUERY = """
SELECT current_setting('server_encoding'),
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
       (SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema()),
       to_regclass('htx_user') IS NOT NULL
"""


def probe() -> dict[str, object]:
    """Return the state of the database that Label Studio's variables name, or the reason why there is no connection."""
    try:
        with psycopg.connect(
            host=os.environ["POSTGRE_HOST"],
            port=os.environ["POSTGRE_PORT"],
            dbname=os.environ["POSTGRE_NAME"],
            user=os.environ["POSTGRE_USER"],
            password=os.environ["POSTGRE_PASSWORD"],
            connect_timeout=TIMEOUT,
        ) as connection:
            row = connection.execute(QUERY).fetchone()
    except psycopg.Error as error:
        return {"error": str(error).rpartition(" failed: ")[2].partition("\n")[0]}
    return dict(zip(("encoding", "may_create", "tables", "is_label_studio"), row, strict=True))


print(json.dumps(probe()))
