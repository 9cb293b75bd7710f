/*
 * prompt.h - templates of what a model is told: data files with named fields.
 *
 * A template begins with lines `name: ...`, `version: ...`, `notion: ...`,
 * `shots: ...`, then come sections, each below a line `--- NAME`. `{field}` in
 * a section stands for a value; any other brace is itself. The built-in
 * templates are the files of prompts/; a user's own is any file of this form.
 * Their layout is [002 layout], their methods [002 Miniature & Mull] and
 * [002 Explain & Compare].
 */
#ifndef ASSAY_MODEL_PROMPT_H
#define ASSAY_MODEL_PROMPT_H

#include "base/diag.h"
#include "base/hash.h"

typedef struct prompt_section {
    str name;
    str text;  // with a line end at its end
} prompt_section;

typedef struct prompt {
    str name;
    str version;
    str notion;  // "semantic", "pragmatic"
    str shots;   // name of the examples: "semantic", "pragmatic", "none"
    vec_of(prompt_section) sections;
    hash128 hash;  // of the whole text
} prompt;

typedef struct prompt_field {
    str name;
    str value;
} prompt_field;

// A built-in template by name, else a file by path. False with a message.
bool prompt_open(prompt *p, arena *a, str name_or_path, diag *d);

// The same from a text; `place.file` is for messages.
bool prompt_read(prompt *p, arena *a, str text, diag_place place, diag *d);

// The section, or an empty text.
str prompt_section_text(const prompt *p, str name);

// Every `{name}` in `text` that is one of the fields as its value.
str prompt_fill(arena *a, str text, const prompt_field *fields, ptrdiff_t n);

// The first {word} of the sections that is not one of these names; empty when
// all are known.
str prompt_unknown_field(const prompt *p, const str *known, ptrdiff_t n);

// At most n examples of pairs, out of shots_<name>.txt, in the form of the
// template's section "shot".
str prompt_shots(const prompt *p, arena *a, ptrdiff_t n);

#endif  // ASSAY_MODEL_PROMPT_H
