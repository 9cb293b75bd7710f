-- want: 1 missing_rows
CREATE TABLE t(x INTEGER);
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = 'CREATE TABLE t(y)';
