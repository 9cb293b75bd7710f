-- want: 4 no_such_table
/* nothing here
