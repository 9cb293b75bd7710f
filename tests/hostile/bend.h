// bend.h - messages that a worker in the hands of an attacker may send.
#ifndef ASSAY_HOSTILE_BEND_H
#define ASSAY_HOSTILE_BEND_H

#include "base/codec.h"
#include "base/rng.h"

// A length or number that a reader trips over.
int64_t bend_number(rng *r);

// Some struct of that shape.
void bend_make(rng *r, const codec_shape *s, void *out, arena *a);

// The bytes changed here and there, cut or continued, or not at all.
str bend_bytes(rng *r, str bytes, arena *a);

// Some message of that shape, bent.
str bend_message(rng *r, const codec_shape *s, arena *a);

#endif  // ASSAY_HOSTILE_BEND_H
