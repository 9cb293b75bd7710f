-- want: 3 unrecognized token
CREATE TABLE t(x INTEGER);
INSERT INTO t VALUES ('never closed
