-- want: 4 no counterexample
CREATE TABLE t(x INTEGER, y AS (hex(zeroblob(500000000))));
