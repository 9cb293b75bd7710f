-- want: 1 missing_rows
CREATE TABLE t(x INTEGER, y TEXT COLLATE "no such; DROP TABLE t");
