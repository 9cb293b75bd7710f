-- want: 3 not authorized
CREATE TABLE t(x INTEGER);
PRAGMA writable_schema = ON;
INSERT INTO sqlite_schema VALUES ('table', 'u', 'u', 0, 'CREATE TABLE u(y)');
