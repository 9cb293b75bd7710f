-- want: 1 missing_rows
CREATE TABLE "t""); DROP TABLE x; --"("a""b" INTEGER, "c); ATTACH 'stolen' AS s; --" TEXT);
CREATE TABLE t(x INTEGER);
