-- want: 4 no_such_table
\x7fELF ;;;; )))) '''
