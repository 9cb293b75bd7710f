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

static void show_foreign(buf *out, const schema *s, const fact *f)
{
    buf_add(out, S(" refers to "));
    show_columns(out, &s->tables[f->parent], f->targets, f->n_targets);
    if (f->broken > 0) {
        buf_printf(out, " (%lld of %lld rows break it)", (long long)f->broken,
                   (long long)f->rows);
    }
}

void fact_show(buf *out, const schema *s, const fact *f)
{
    const schema_table *t = &s->tables[f->table];
    if (f->kind == FACT_NOT_EMPTY) {
        name_add_readable(out, t->name);
    } else {
        show_columns(out, t, f->columns, f->n_columns);
    }
    switch (f->kind) {
    case FACT_NOT_EMPTY: buf_add(out, S(" is never empty")); break;
    case FACT_NEVER_NULL: buf_add(out, S(" is never NULL")); break;
    case FACT_UNIQUE: buf_add(out, S(" is unique")); break;
    case FACT_FOREIGN_KEY: show_foreign(out, s, f); break;
    case FACT_RANGE:
        assert(f->n_values == 2);  // the least and the greatest
        buf_add(out, S(" lies between "));
        show_value(out, f->values[0]);
        buf_add(out, S(" and "));
        show_value(out, f->values[1]);
        break;
    case FACT_VALUES:
        for (ptrdiff_t i = 0; i < f->n_values; i++) {
            buf_add(out, i == 0 ? S(" is one of ") : S(", "));
            show_value(out, f->values[i]);
        }
        break;
    case FACT_ONE_SPELLING:
        buf_add(out, S(" spells each text in one way"));
        break;
    case FACT_FORMAT:
        buf_add(out, S(" is written as "));
        buf_add(out, fact_format_word(f->format));
        break;
    case FACT_DETERMINES:
        buf_add(out, S(" determines "));
        show_columns(out, t, f->targets, f->n_targets);
        break;
    case FACT_KIND_COUNT: break;
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
