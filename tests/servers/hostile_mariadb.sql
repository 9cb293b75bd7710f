-- What the attacks of tests/hostile/mariadb.txt find. The modes are those that
-- change how a text is read, and hold for each session that begins.
SET GLOBAL sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,STRICT_TRANS_TABLES';
CREATE DATABASE hostile CHARACTER SET utf8mb4;
USE hostile;
CREATE TABLE t(id int PRIMARY KEY, s varchar(20), note varchar(20));
INSERT INTO t VALUES (1, 'one', ''), (2, 'two', NULL), (3, 'three', 'x');
CREATE SEQUENCE q;
CREATE TABLE kept(id int, v int) WITH SYSTEM VERSIONING;
CREATE FUNCTION writer(n int) RETURNS int DETERMINISTIC RETURN n;
-- Functions of the owner's whose names are words of the grammar.
CREATE FUNCTION first(n int) RETURNS int RETURN GET_LOCK('a', 0);
CREATE FUNCTION `top`(n int) RETURNS int RETURN GET_LOCK('a', 0);
CREATE FUNCTION apply(n int) RETURNS int RETURN GET_LOCK('a', 0);
CREATE FUNCTION `columns`(n int) RETURNS int RETURN GET_LOCK('a', 0);
CREATE FUNCTION sets(n int) RETURNS int RETURN GET_LOCK('a', 0);
GRANT EXECUTE ON hostile.* TO PUBLIC;
-- Views that tell what others run, by the rights of who made them.
CREATE VIEW slow AS SELECT * FROM performance_schema.events_statements_history;
CREATE VIEW `slower` AS SELECT * FROM slow;
CREATE VIEW `a_slowest` AS SELECT * FROM slower;
CREATE VIEW slowest AS SELECT * FROM a_slowest;
CREATE VIEW watching AS SELECT id, info FROM information_schema.processlist;
CREATE VIEW `Peeking` AS SELECT * FROM watching;
CREATE VIEW `watch``ing` AS SELECT * FROM watching;
CREATE VIEW logged AS SELECT argument FROM mysql.general_log;
CREATE VIEW plain AS SELECT id FROM t;
CREATE FUNCTION asks() RETURNS text READS SQL DATA
    RETURN (SELECT GROUP_CONCAT(info) FROM information_schema.processlist);
CREATE FUNCTION counts() RETURNS int READS SQL DATA RETURN (SELECT COUNT(*) FROM t);
CREATE VIEW asked AS SELECT asks() AS q;
CREATE VIEW asked_again AS SELECT q FROM asked;
CREATE VIEW counted AS SELECT counts() AS n;
CREATE VIEW `Größe` AS SELECT * FROM watching;
CREATE VIEW `über` AS SELECT * FROM watching;
