-- want: 3 no CREATE TABLE
\x7fELF ;;;; )))) '''
