-- want: 3 syntax error
CREATE TABLE t(x INTEGER);
.shell touch stolen
