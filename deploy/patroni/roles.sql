-- The database of a store and its two roles. Once, on the primary, as the user postgres: psql -f roles.sql
--
-- aviary owns the store; aviary_reader reads it, and is who the workers are. Their passwords are in files that only postgres can
-- read here, and that the web hosts have too.
\set ON_ERROR_STOP on
\set owner_password `cat /etc/patroni/aviary.password`
\set reader_password `cat /etc/patroni/aviary_reader.password`

CREATE ROLE aviary LOGIN PASSWORD :'owner_password' CONNECTION LIMIT 100;
CREATE ROLE aviary_reader LOGIN PASSWORD :'reader_password' CONNECTION LIMIT 80;

-- A host that hangs within a write holds the lock for which all others wait. The reader needs no setting to write nothing: it
-- has no permission. With default_transaction_read_only, target_session_attrs=read-write would find no host for it.
ALTER ROLE aviary SET idle_in_transaction_session_timeout = '5s';
ALTER ROLE aviary_reader SET idle_in_transaction_session_timeout = '60s';
-- For the lag of replicas in `status`.
GRANT pg_read_all_stats TO aviary;

CREATE DATABASE zoo OWNER aviary ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' TEMPLATE template0;
REVOKE ALL ON DATABASE zoo FROM PUBLIC;
GRANT CONNECT ON DATABASE zoo TO aviary_reader;

\connect zoo
CREATE EXTENSION pg_trgm;
-- Whatever the store makes, also in a schema that a restore makes anew, the reader may read.
ALTER DEFAULT PRIVILEGES FOR ROLE aviary GRANT USAGE ON SCHEMAS TO aviary_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE aviary GRANT SELECT ON TABLES TO aviary_reader;
