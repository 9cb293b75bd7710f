-- want: 1 missing_rows
CREATE TABLE t(x "TEXT); SELECT load_extension('evil.so'); --");
