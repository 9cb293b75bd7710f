-- want: 3 not authorized to use function
CREATE TABLE t(x INTEGER);
SELECT load_extension('evil.so');
