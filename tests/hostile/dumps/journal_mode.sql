-- want: 0 row 1: 0 != 1
PRAGMA journal_mode = WAL;
PRAGMA temp_store_directory = '.';
PRAGMA data_store_directory = '.';
CREATE TABLE t(x INTEGER);
