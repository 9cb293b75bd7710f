// relation_assume.h - what is taken for granted of the data of a schema.
#ifndef ASSAY_RELATION_ASSUME_H
#define ASSAY_RELATION_ASSUME_H

// What may be taken for granted of the data; a set of bits. [equivalence 2.4]
enum {
    ASSUME_KEYS = 1,          // PRIMARY KEY, UNIQUE
    ASSUME_NOT_NULL = 2,      // NOT NULL, and all columns of primary keys
    ASSUME_FOREIGN_KEYS = 4,  // that are sound
    ASSUME_TYPES = 8,         // values fit the declared type
    ASSUME_NO_OVERFLOW = 16,  // no sum leaves 64 bits: SUM and ABS do not fail
    ASSUME_LAST = ASSUME_NO_OVERFLOW,
    ASSUME_ENFORCED = 32,  // of data in an engine: NOT NULL as it is declared,
                           // though a primary key may hold NULL
    ASSUME_DEFAULT = ASSUME_KEYS | ASSUME_NOT_NULL | ASSUME_FOREIGN_KEYS
                     | ASSUME_TYPES | ASSUME_NO_OVERFLOW,
};

#endif  // ASSAY_RELATION_ASSUME_H
