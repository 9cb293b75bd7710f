-- want: 3 string or blob too big|0 killed its worker
CREATE TABLE t(x BLOB);
INSERT INTO t SELECT zeroblob(900000000);
