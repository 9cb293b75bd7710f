-- want: 3 not authorized to use function: load_extension
CREATE TABLE t(x INTEGER);
CREATE INDEX i ON t(load_extension('evil.so'));
