-- want: 3 not authorized to use function: fts3_tokenizer
CREATE TABLE t(x INTEGER);
SELECT fts3_tokenizer('evil', x'4141414141414141');
CREATE VIRTUAL TABLE z USING fts3(a, tokenize=evil);
