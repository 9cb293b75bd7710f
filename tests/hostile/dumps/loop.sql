-- want: 3 takes too many steps|3 opening it takes more
CREATE TABLE t(x INTEGER);
INSERT INTO t WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r;
