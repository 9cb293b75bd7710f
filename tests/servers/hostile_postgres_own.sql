-- What the attacks of tests/hostile/postgres_own.txt find: an owner whose
-- functions, operators and casts have names and signs that are allowed. What
-- they are labelled is not what they do: each takes a lock that outlives its
-- transaction, if it is called.
CREATE TABLE t(id int PRIMARY KEY, s text, note text);
INSERT INTO t VALUES (1, 'one', ''), (2, 'two', NULL), (3, 'three', 'x');
CREATE TABLE u(s int, word text);
INSERT INTO u VALUES (1, 'one');
CREATE SEQUENCE q;
CREATE ROLE owner;
GRANT CREATE ON DATABASE hostile TO owner;
GRANT CREATE ON SCHEMA public TO owner;
SET ROLE owner;
CREATE TYPE pair AS (number int, word text);
CREATE FUNCTION locks() RETURNS text STABLE LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_lock(1); RETURN ''locked''; END';
-- Functions.
CREATE FUNCTION lower(pair) RETURNS text STABLE LANGUAGE sql AS
    'SELECT public.locks()';
CREATE FUNCTION upper(pair) RETURNS text IMMUTABLE LANGUAGE plpgsql AS
    'BEGIN RETURN public.locks(); END';
CREATE FUNCTION round(double precision, int) RETURNS text IMMUTABLE
    LANGUAGE plpgsql AS 'BEGIN RETURN public.locks(); END';
CREATE FUNCTION abs(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(9); RETURN public.locks(); END';
CREATE FUNCTION reverse(int) RETURNS text STABLE SECURITY DEFINER
    LANGUAGE sql AS 'SELECT public.locks()';
CREATE FUNCTION right(text, VARIADIC text[]) RETURNS text STABLE LANGUAGE sql AS
    'SELECT public.locks()';
CREATE FUNCTION length(text, int, int DEFAULT 1) RETURNS text STABLE
    LANGUAGE sql AS 'SELECT public.locks()';
CREATE FUNCTION numnode(pair) RETURNS text STABLE LANGUAGE sql AS
    'SELECT public.locks()';
CREATE FUNCTION hstore_to_array(pair) RETURNS text IMMUTABLE LANGUAGE plpgsql AS
    'BEGIN RETURN public.locks(); END';
CREATE FUNCTION unnest(pair) RETURNS SETOF text STABLE LANGUAGE sql AS
    'SELECT public.locks()';
CREATE FUNCTION note(pair) RETURNS text STABLE LANGUAGE sql AS
    'SELECT public.locks()';
CREATE FUNCTION soundex(text) RETURNS text LANGUAGE sql AS
    'SELECT public.locks()';
CREATE FUNCTION next(text, pair) RETURNS text IMMUTABLE LANGUAGE plpgsql AS
    'BEGIN RETURN public.locks(); END';
CREATE AGGREGATE sum(pair) (SFUNC = next, STYPE = text);
CREATE FUNCTION helper(text) RETURNS text IMMUTABLE LANGUAGE sql AS
    'SELECT pg_catalog.upper($1)';
CREATE VIEW shouting AS SELECT id, helper('x') AS s FROM generate_series(1, 2) id;
GRANT SELECT ON shouting TO PUBLIC;
-- Operators.
CREATE FUNCTION equal(text, int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS
    'BEGIN RETURN public.locks() IS NULL; END';
CREATE OPERATOR = (LEFTARG = text, RIGHTARG = int, FUNCTION = equal);
CREATE OPERATOR <> (LEFTARG = text, RIGHTARG = int, FUNCTION = equal);
CREATE OPERATOR >= (LEFTARG = text, RIGHTARG = int, FUNCTION = equal);
CREATE OPERATOR <= (LEFTARG = text, RIGHTARG = int, FUNCTION = equal);
CREATE OPERATOR ~~ (LEFTARG = text, RIGHTARG = int, FUNCTION = equal);
CREATE OPERATOR !~~* (LEFTARG = text, RIGHTARG = int, FUNCTION = equal);
CREATE OPERATOR - (RIGHTARG = text, FUNCTION = abs);
CREATE OPERATOR || (LEFTARG = int, RIGHTARG = int,
    FUNCTION = pg_try_advisory_lock);
-- What does no harm, and may be allowed.
CREATE FUNCTION left(text, text) RETURNS text IMMUTABLE LANGUAGE sql AS
    'SELECT $1';
CREATE FUNCTION xor_of(bool, bool) RETURNS bool IMMUTABLE LANGUAGE sql AS
    'SELECT $1 <> $2';
CREATE OPERATOR + (LEFTARG = bool, RIGHTARG = bool, FUNCTION = xor_of);
-- Casts.
CREATE FUNCTION pair_of(int) RETURNS pair IMMUTABLE LANGUAGE plpgsql AS
    'BEGIN PERFORM public.locks(); RETURN ROW($1, NULL); END';
CREATE FUNCTION text_of(pair) RETURNS text STABLE LANGUAGE sql AS
    'SELECT public.locks()';
CREATE CAST (int AS pair) WITH FUNCTION pair_of(int) AS IMPLICIT;
CREATE CAST (pair AS text) WITH FUNCTION text_of(pair) AS IMPLICIT;
-- A function that is hidden in an extension.
CREATE EXTENSION citext;
CREATE FUNCTION initcap(pair) RETURNS text STABLE LANGUAGE sql AS
    'SELECT public.locks()';
ALTER EXTENSION citext ADD FUNCTION initcap(pair);
RESET ROLE;
CREATE EXTENSION pg_trgm;
CREATE EXTENSION hstore;
-- What somebody who may do anything added to the system's own types.
CREATE FUNCTION day_of(int) RETURNS date STABLE LANGUAGE plpgsql AS
    'BEGIN PERFORM public.locks(); RETURN ''2000-01-01''; END';
CREATE CAST (int AS date) WITH FUNCTION day_of(int) AS IMPLICIT;
