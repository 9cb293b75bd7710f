-- What the attacks of tests/hostile/postgres.txt find: tables, and all that a
-- careless owner may have installed.
CREATE TABLE t(id int PRIMARY KEY, s text, note text);
INSERT INTO t VALUES (1, 'one', ''), (2, 'two', NULL), (3, 'three', 'x');
CREATE SEQUENCE q;
CREATE EXTENSION dblink;
CREATE EXTENSION tablefunc;
CREATE EXTENSION lo;
-- Functions that no list names.
CREATE EXTENSION isn;
CREATE EXTENSION ltree;
CREATE EXTENSION hstore;
CREATE EXTENSION pgcrypto;
CREATE EXTENSION pageinspect;
CREATE EXTENSION xml2;
CREATE FUNCTION writer(int) RETURNS int LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO t VALUES ($1, 'written'); RETURN $1; END $$;
CREATE FUNCTION asker(text) RETURNS int LANGUAGE plpgsql AS $$
    DECLARE n int; BEGIN EXECUTE $1 INTO n; RETURN n; END $$;
CREATE FUNCTION locker(bigint, bigint) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1 + $2)';
CREATE OPERATOR @#@ (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = locker);
CREATE SCHEMA other;
CREATE FUNCTION other.lower(text) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_lock(5); RETURN $1; END $$;
CREATE VIEW settings AS SELECT name, setting FROM pg_settings;
-- Functions of the owner's whose names are words of the grammar.
CREATE FUNCTION first(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
CREATE FUNCTION key(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
CREATE FUNCTION range(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
CREATE FUNCTION rollup(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
CREATE FUNCTION xor(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
CREATE FUNCTION "any"(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
-- Others under a name of the system's, for other types.
CREATE FUNCTION div(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
CREATE FUNCTION lock_texts(text, text) RETURNS text LANGUAGE sql AS
    $$SELECT pg_try_advisory_lock(1)::text$$;
CREATE OPERATOR % (LEFTARG = text, RIGHTARG = text, FUNCTION = lock_texts);
CREATE FUNCTION round(double precision, int) RETURNS numeric IMMUTABLE
    LANGUAGE sql AS 'SELECT pg_catalog.round($1::numeric, $2)';
-- Passwords in statistics, and of a server far away.
CREATE ROLE secret_a PASSWORD 'one';
CREATE ROLE secret_b PASSWORD 'two';
ANALYZE pg_authid;
CREATE EXTENSION postgres_fdw;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'nowhere');
CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'u', password 'three');
GRANT USAGE ON FOREIGN SERVER far TO PUBLIC;
CREATE FOREIGN TABLE far_away(x int) SERVER far;
CREATE VIEW farther AS TABLE far_away;
-- A name as long as names may be.
CREATE FUNCTION fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
CREATE FUNCTION gggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggg(int) RETURNS bool LANGUAGE sql AS
    'SELECT pg_try_advisory_lock($1)';
-- Views that tell what others run.
CREATE EXTENSION pg_stat_statements;
CREATE VIEW slow AS SELECT query, calls FROM pg_stat_statements;
CREATE VIEW other.slower AS SELECT * FROM slow WHERE calls > 1;
CREATE VIEW watching AS SELECT pid, query FROM pg_stat_activity;
CREATE VIEW "Watching" AS TABLE watching;
CREATE VIEW "watch""ing" AS TABLE watching;
CREATE VIEW wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww AS TABLE watching;
CREATE VIEW asking AS SELECT pg_stat_get_backend_activity(i) AS query
    FROM pg_stat_get_backend_idset() AS i;
CREATE FUNCTION ask_all() RETURNS SETOF text STABLE LANGUAGE sql AS
    'SELECT query FROM pg_stat_activity';
CREATE FUNCTION ask_one() RETURNS text LANGUAGE plpgsql AS $$
    BEGIN RETURN (SELECT max(query) FROM PG_STAT_STATEMENTS); END $$;
CREATE FUNCTION count_all() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM t';
CREATE VIEW asked AS SELECT ask_all() AS q;
CREATE VIEW asked_again AS SELECT q FROM asked;
CREATE VIEW asked_otherwise AS SELECT ask_one() AS q;
CREATE VIEW "Größe" AS TABLE watching;
CREATE VIEW counted AS SELECT count_all() AS n;
CREATE MATERIALIZED VIEW kept AS SELECT * FROM watching WITH NO DATA;
GRANT SELECT ON ALL TABLES IN SCHEMA public, other TO PUBLIC;
GRANT USAGE ON SCHEMA other TO PUBLIC;
