-- want: 3 authorization denied
CREATE TABLE t(x INTEGER);
VACUUM INTO 'stolen.db';
