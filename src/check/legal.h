/*
 * legal.h - what of the assumptions the engine does not check itself.
 *
 * SQLite lets most primary keys be NULL, and cannot have a foreign key whose
 * targets are no key: such a key is a plain inclusion.
 */
#ifndef ASSAY_CHECK_LEGAL_H
#define ASSAY_CHECK_LEGAL_H

#include "engine/instance.h"
#include "prove/prove.h"

// The schema with what is not assumed left out: no keys, no NOT NULL, ...
const schema *legal_schema(arena *a, const schema *s, unsigned assume);

// The schema with only what SQLite checks itself, whatever rows somebody wrote:
// keys, where NULLs are allowed unless they are a rowid or declared NOT NULL.
const schema *legal_enforced(arena *a, const schema *s);

// Does the instance, which SQLite took, satisfy the rest?
bool legal_instance(const instance *i, unsigned assume);

// Does it break a key, a NOT NULL or a foreign key of `s`?
bool legal_breaks(const instance *i, const schema *s);

#endif  // ASSAY_CHECK_LEGAL_H
