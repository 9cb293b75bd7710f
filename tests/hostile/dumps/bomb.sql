-- want: 3 its database has more than 256 MB|3 opening it takes more|3 takes too much memory
CREATE TABLE t(x BLOB);
INSERT INTO t WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 1000) SELECT zeroblob(100000000) FROM r;
