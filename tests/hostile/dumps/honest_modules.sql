-- want: 0 row 1: 0 != 1
-- No harm meant: what R-Trees and full-text tables ask of pragmas is allowed.
PRAGMA page_size;
CREATE TABLE t(x INTEGER);
CREATE VIRTUAL TABLE r USING rtree(id, a, b);
CREATE VIRTUAL TABLE f USING fts5(text);
INSERT INTO f VALUES ('some text');
