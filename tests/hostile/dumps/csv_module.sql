-- want: 3 not authorized
CREATE TABLE t(x INTEGER);
CREATE VIRTUAL TABLE z USING csv(filename='canary');
