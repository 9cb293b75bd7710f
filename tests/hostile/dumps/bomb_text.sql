-- want: 3 string or blob too big|3 opening it takes more|3 takes too much memory
CREATE TABLE t(x TEXT);
INSERT INTO t SELECT replace(replace(hex(zeroblob(100000)), '0', hex(zeroblob(100000))), '0', 'xx');
