-- want: 3 no CREATE TABLE
/* nothing here
