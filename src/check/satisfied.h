/*
 * satisfied.h - which of the declared constraints the rows of a database
 *             satisfy.
 *
 * Why         Data sets declare keys that their data break (a primary key that
 *             lacks a column), and types (a date that is '5/4/2011'). Queries
 *             over such a database are not to be judged by what does not hold
 *             in it.
 *
 * Source      definitions/equivalence.md#assumptions
 */
#ifndef ASSAY_CHECK_SATISFIED_H
#define ASSAY_CHECK_SATISFIED_H

#include "engine/engine.h"

// The schema of the database. Where types are its own, values of others are
// tried; each of these is a message in `changed`.
const schema *modelled_schema(arena *a, database *db, diag *changed);

// The same without the keys, NOT NULLs, CHECKs and foreign
// keys that its rows break, and with is_off_type for columns whose types they
// break; each of these is a message in `broken`.
const schema *satisfied_schema(arena *a,
                               database *db,
                               diag *broken,
                               arena scratch);

#endif  // ASSAY_CHECK_SATISFIED_H
