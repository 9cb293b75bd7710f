-- want: 3 not authorized to use function: fts3_tokenizer
CREATE TABLE t(x INTEGER, y AS (fts3_tokenizer('evil', x'4141414141414141')));
INSERT INTO t(x) VALUES (1);
SELECT y FROM t;
