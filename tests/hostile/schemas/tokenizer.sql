-- want: 1 missing_rows
CREATE TABLE t(x INTEGER);
SELECT fts3_tokenizer('evil', x'4141414141414141');
CREATE VIRTUAL TABLE z USING fts3(a, tokenize=evil);
