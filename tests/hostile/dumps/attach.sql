-- want: 3 not authorized
CREATE TABLE t(x INTEGER);
ATTACH 'canary' AS c;
