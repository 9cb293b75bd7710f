-- want: 1 missing_rows
CREATE TABLE t(x numeric(/*), y TEXT */10));
