-- want: 3 unknown datatype
CREATE TABLE t(x "TEXT); DROP TABLE t; --") STRICT;
