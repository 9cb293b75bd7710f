-- want: 1 missing_rows
CREATE TABLE t(x INTEGER, y BLOB DEFAULT (zeroblob(1000000000)));
