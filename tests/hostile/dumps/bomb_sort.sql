-- want: 3 opening it takes more|3 takes too m
CREATE TABLE t(x TEXT);
INSERT INTO t WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i || hex(zeroblob(1000000)) FROM r ORDER BY 1 DESC LIMIT 1;
