-- What the attacks of tests/hostile/postgres.txt find: tables, and all that a
-- careless owner may have installed.
CREATE TABLE t(id int PRIMARY KEY, s text, note text);
INSERT INTO t VALUES (1, 'one', ''), (2, 'two', NULL), (3, 'three', 'x');
CREATE SEQUENCE q;
CREATE EXTENSION dblink;
CREATE EXTENSION tablefunc;
CREATE EXTENSION lo;
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
