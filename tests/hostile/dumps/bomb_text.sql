-- want: 3 string or blob too big|0 killed its worker
CREATE TABLE t(x TEXT);
INSERT INTO t SELECT replace(replace(hex(zeroblob(100000)), '0', hex(zeroblob(100000))), '0', 'xx');
