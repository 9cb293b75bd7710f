// fact.c - words and sentences of facts, and their file.
#include "facts/fact.h"

#include "base/json_write.h"
#include "base/words.h"
#include "sql/name.h"

#include <assert.h>

static const struct {
    str word;
} kinds[] = {
#define FACT(constant, word, text) {S_INIT(word)},
#include "facts/fact.def"
};

static const struct {
    str word;
    str pattern;
} formats[] = {
#define FORMAT(constant, word, pattern) {S_INIT(word), S_INIT(pattern)},
#include "facts/fact_format.def"
};

WORDS_OF(fact_kind, fact_kind, kinds)
WORDS_OF(fact_format, fact_format, formats)

str fact_format_pattern(fact_format f)
{
    assert(f < FACT_FORMAT_COUNT);
    return formats[f].pattern;
}

static void show_column(buf *out, const schema_table *t, int32_t column)
{
    assert(column >= 0 && column < t->n_columns);
    name_add_readable(out, t->name);
    buf_char(out, '.');
    name_add_readable(out, t->columns[column].name);
}

// "t.a", "t (a, b)"
static void show_columns(buf *out,
                         const schema_table *t,
                         const int32_t *columns,
                         ptrdiff_t n)
{
    assert(n > 0);
    if (n == 1) {
        show_column(out, t, columns[0]);
        return;
    }
    name_add_readable(out, t->name);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(out, i == 0 ? S(" (") : S(", "));
        name_add_readable(out, t->columns[columns[i]].name);
    }
    buf_char(out, ')');
}

// Values are foreign text: no control characters, and not too long.
static void show_value(buf *out, value v)
{
    ptrdiff_t start = out->len;
    value_show(out, v, 30);
    for (ptrdiff_t i = start; i < out->len; i++) {
        bool is_control = (unsigned char)out->ptr[i] < ' ';
        out->ptr[i] = is_control ? ' ' : out->ptr[i];
    }
}

// What each kind says of its columns; values, targets and a format follow.
static const str says[FACT_KIND_COUNT] = {
    [FACT_NOT_EMPTY] = S_INIT(" is never empty"),
    [FACT_NEVER_NULL] = S_INIT(" is never NULL"),
    [FACT_UNIQUE] = S_INIT(" is unique"),
    [FACT_FOREIGN_KEY] = S_INIT(" refers to "),
    [FACT_RANGE] = S_INIT(" lies between "),
    [FACT_VALUES] = S_INIT(" is one of "),
    [FACT_ONE_SPELLING] = S_INIT(" spells each text in one way"),
    [FACT_FORMAT] = S_INIT(" is written as "),
    [FACT_DETERMINES] = S_INIT(" determines "),
};

void fact_show(buf *out, const schema *s, const fact *f)
{
    const schema_table *t = &s->tables[f->table];
    bool is_range = f->kind == FACT_RANGE;
    bool is_foreign = f->kind == FACT_FOREIGN_KEY;
    if (f->kind == FACT_NOT_EMPTY) {
        name_add_readable(out, t->name);
    } else {
        show_columns(out, t, f->columns, f->n_columns);
    }
    buf_add(out, says[f->kind]);
    ptrdiff_t n = is_range || f->kind == FACT_VALUES ? f->n_values : 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(out, i == 0 ? S("") : is_range ? S(" and ") : S(", "));
        show_value(out, f->values[i]);
    }
    if (is_foreign || f->kind == FACT_DETERMINES) {
        show_columns(out, &s->tables[f->parent], f->targets, f->n_targets);
    }
    buf_add(out, f->kind == FACT_FORMAT ? fact_format_word(f->format) : S(""));
    if (is_foreign && f->broken > 0) {
        buf_printf(out, " (%lld of %lld rows break it)", (long long)f->broken,
                   (long long)f->rows);
    }
}

static void add_names(buf *out,
                      str key,
                      const schema_table *t,
                      const int32_t *columns,
                      ptrdiff_t n)
{
    if (n == 0) {
        return;
    }
    json_write(out, member_open(key, '['));
    for (ptrdiff_t i = 0; i < n; i++) {
        json_write(out, json_text(t->columns[columns[i]].name));
    }
    buf_char(out, ']');
}

static void add_values(buf *out, const fact *f)
{
    json_write(out, member_open(S("values"), '['));
    for (ptrdiff_t i = 0; i < f->n_values; i++) {
        value v = f->values[i];
        json_next(out);
        if (v.kind == VALUE_INT) {
            buf_int(out, v.i);
        } else if (v.kind == VALUE_REAL) {
            json_add_double(out, v.real);
        } else {
            json_add_text(out, value_bytes(v));
        }
    }
    buf_char(out, ']');
}

static void add_fact(buf *out, const schema *s, const fact *f)
{
    const schema_table *t = &s->tables[f->table];
    json_write(out, json_begin('{'),
               member_text(S("fact"), fact_kind_word(f->kind)),
               member_text(S("table"), t->name));
    add_names(out, S("columns"), t, f->columns, f->n_columns);
    if (f->kind == FACT_FOREIGN_KEY) {
        json_write(out, member_text(S("parent"), s->tables[f->parent].name));
    }
    add_names(out, S("targets"), &s->tables[f->parent], f->targets,
              f->n_targets);
    if (f->n_values > 0) {
        add_values(out, f);
    }
    if (f->kind == FACT_FORMAT) {
        json_write(out, member_text(S("format"), fact_format_word(f->format)));
    }
    json_write(out, member_int(S("rows"), f->rows));
    if (f->kind == FACT_FOREIGN_KEY) {
        json_write(out, member_int(S("broken"), f->broken));
    }
    buf_char(out, '}');
}

void facts_to_text(buf *out, const facts *f)
{
    buf_add(out, S("{\"assay_facts\":1"));
    json_write(out, member_text(S("db"), f->db), member_open(S("facts"), '['));
    for (ptrdiff_t i = 0; i < f->list.len; i++) {
        buf_add(out, i == 0 ? S("\n") : S(",\n"));
        add_fact(out, f->schema, &f->list.ptr[i]);
    }
    buf_add(out, S("\n]}\n"));
}
