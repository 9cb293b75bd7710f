-- want: 3 string or blob too big|3 opening it takes more|3 takes too much memory
CREATE TABLE t(x BLOB);
INSERT INTO t SELECT zeroblob(900000000);
