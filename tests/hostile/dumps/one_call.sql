-- want: 3 opening it takes more time than --timeout allows
CREATE TABLE t(x INTEGER);
INSERT INTO t SELECT instr(zeroblob(200000000), zeroblob(100000000) || x'01');
