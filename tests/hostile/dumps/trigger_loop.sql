-- want: 3 too many levels of trigger recursion
CREATE TABLE t(x INTEGER);
PRAGMA recursive_triggers = ON;
CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO t VALUES (new.x + 1); INSERT INTO t VALUES (new.x + 2); END;
INSERT INTO t VALUES (1);
