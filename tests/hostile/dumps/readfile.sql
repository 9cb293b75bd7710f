-- want: 3 no such function
CREATE TABLE t(x TEXT);
INSERT INTO t SELECT readfile('canary');
