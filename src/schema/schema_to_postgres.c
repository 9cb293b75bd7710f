/*
 * schema_to_postgres.c - a schema as CREATE statements that PostgreSQL takes.
 *
 * Foreign keys stand behind all tables, since PostgreSQL demands that the
 * parent is there. Types that every PostgreSQL has stay as they are; others
 * become the type that is nearest, and a comment says so.
 */
#include "schema/schema_build.h"
#include "schema/schema_ddl.h"
#include "sql/name.h"
#include "sql/print.h"

// Types of PostgreSQL itself, by their first words.
static const str own_types[] = {
    S_INIT("bigint"),    S_INIT("bit"),         S_INIT("bool"),
    S_INIT("boolean"),   S_INIT("bpchar"),      S_INIT("bytea"),
    S_INIT("char"),      S_INIT("character"),   S_INIT("cidr"),
    S_INIT("date"),      S_INIT("decimal"),     S_INIT("double"),
    S_INIT("float4"),    S_INIT("float8"),      S_INIT("inet"),
    S_INIT("int"),       S_INIT("int2"),        S_INIT("int4"),
    S_INIT("int8"),      S_INIT("integer"),     S_INIT("interval"),
    S_INIT("json"),      S_INIT("jsonb"),       S_INIT("macaddr"),
    S_INIT("money"),     S_INIT("numeric"),     S_INIT("real"),
    S_INIT("smallint"),  S_INIT("text"),        S_INIT("time"),
    S_INIT("timestamp"), S_INIT("timestamptz"), S_INIT("timetz"),
    S_INIT("uuid"),      S_INIT("varchar"),
};

// Without their sequence.
static const struct {
    str word;
    str type;
} serials[] = {
    {S_INIT("serial"), S_INIT("integer")},
    {S_INIT("serial4"), S_INIT("integer")},
    {S_INIT("bigserial"), S_INIT("bigint")},
    {S_INIT("serial8"), S_INIT("bigint")},
    {S_INIT("smallserial"), S_INIT("smallint")},
    {S_INIT("serial2"), S_INIT("smallint")},
};

static str first_word(str type)
{
    ptrdiff_t n = 0;
    while (n < type.len && (is_alpha(type.ptr[n]) || is_digit(type.ptr[n]))) {
        n++;
    }
    return str_sub(type, 0, n);
}

static str nearest_type(const schema_column *c)
{
    switch (c->kind) {
    case KIND_INTEGER: return S("bigint");
    case KIND_REAL: return S("double precision");
    case KIND_DECIMAL: return S("numeric");
    case KIND_DATE: return S("date");
    case KIND_TIME: return S("time");
    case KIND_TIMESTAMP: return S("timestamp");
    case KIND_BOOLEAN: return S("boolean");
    case KIND_BYTES: return S("bytea");
    case KIND_TEXT:
    case KIND_ANY: break;
    }
    return c->affinity == AFFINITY_INTEGER || c->affinity == AFFINITY_NUMERIC
               ? S("numeric")
               : S("text");
}

// What may stand behind the first word of a type.
static bool is_tail(str tail, bool takes_size)
{
    static const str words[] = {
        S_INIT(""),
        S_INIT(" precision"),
        S_INIT(" varying"),
        S_INIT(" with time zone"),
        S_INIT(" without time zone"),
    };
    while (str_ends(tail, S("[]"))) {
        tail = str_sub(tail, 0, tail.len - 2);
    }
    ptrdiff_t open = str_find(tail, S("("), 0);
    ptrdiff_t close = str_find(tail, S(")"), 0);
    str before = open >= 0 ? str_sub(tail, 0, open) : tail;
    str behind = open >= 0 && close > open ? str_skip(tail, close + 1) : S("");
    bool is_known[2] = {false, false};
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        is_known[0] |= str_equal_fold(before, words[i]);
        is_known[1] |= str_equal_fold(behind, words[i]);
    }
    return is_known[0] && is_known[1] && (open < 0 || takes_size);
}

// Of PostgreSQL as it is written: not `int(11)`, `int unsigned`, `double`.
static bool is_own_type(const schema_column *c)
{
    str word = first_word(c->type);
    str tail = str_skip(c->type, word.len);
    bool is_double = str_equal_fold(word, S("double"));
    bool found = false;
    for (ptrdiff_t i = 0; i < countof(own_types); i++) {
        found |= str_equal_fold(word, own_types[i]);
    }
    return found && is_tail(tail, c->kind != KIND_INTEGER)
           && is_double == str_starts_fold(tail, S(" precision"));
}

str schema_postgres_type(const schema_column *c)
{
    str word = first_word(c->type);
    for (ptrdiff_t i = 0; i < countof(serials); i++) {
        if (str_equal_fold(word, serials[i].word)) {
            return serials[i].type;
        }
    }
    return is_own_type(c) ? c->type : nearest_type(c);
}

static void add_columns(buf *out,
                        const schema_table *t,
                        const int32_t *columns,
                        ptrdiff_t n)
{
    buf_char(out, '(');
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(out, i > 0 ? S(", ") : S(""));
        name_add_postgres(out, t->columns[columns[i]].name);
    }
    buf_char(out, ')');
}

static void add_column(buf *out, const schema_column *c, arena scratch)
{
    name_add_postgres(out, c->name);
    buf_char(out, ' ');
    buf_add(out, schema_postgres_type(c));
    if (c->is_not_null) {
        buf_add(out, S(" NOT NULL"));
    }
    if (c->generated) {
        buf_add(out, S(" GENERATED ALWAYS AS ("));
        print_sql(out, c->generated, DIALECT_POSTGRES, PRINT_ONE_LINE, scratch);
        buf_add(out, S(") STORED"));
    }
}

static void add_rules(buf *out, const schema_table *t, arena scratch)
{
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        const schema_unique *u = &t->uniques[i];
        buf_add(out, u->is_primary ? S(", PRIMARY KEY ") : S(", UNIQUE "));
        add_columns(out, t, u->columns, u->n);
    }
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        buf_add(out, S(", CHECK ("));
        print_sql(out, t->checks[i], DIALECT_POSTGRES, PRINT_ONE_LINE, scratch);
        buf_char(out, ')');
    }
}

bool schema_is_foreign_type(const schema_column *c)
{
    str word = first_word(c->type);
    bool is_serial = false;
    for (ptrdiff_t i = 0; i < countof(serials); i++) {
        is_serial |= str_equal_fold(word, serials[i].word);
    }
    return c->type.len > 0 && !is_serial
           && !str_equal(schema_postgres_type(c), c->type);
}

// What of the declaration is another here.
static void add_comments(buf *out, const schema_table *t)
{
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        const schema_column *column = &t->columns[c];
        if (schema_is_foreign_type(column)
            && str_find(column->type, S("\n"), 0) < 0) {
            str type = schema_postgres_type(column);
            buf_printf(out, " -- %.*s: %.*s here", STR_ARG(column->type),
                       STR_ARG(type));
        }
    }
}

static void add_table(buf *out,
                      const schema_table *t,
                      bool keeps_keys,
                      arena scratch)
{
    buf_add(out, S("CREATE TABLE "));
    name_add_postgres(out, t->name);
    buf_add(out, S(" ("));
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        schema_column column = t->columns[c];
        column.is_not_null &= keeps_keys;
        buf_add(out, c > 0 ? S(", ") : S(""));
        add_column(out, &column, scratch);
    }
    if (keeps_keys) {
        add_rules(out, t, scratch);
    }
    buf_add(out, S(");"));
    add_comments(out, t);
    buf_char(out, '\n');
}

static void add_key(buf *out, const schema *s, const schema_key *k)
{
    buf_add(out, S("ALTER TABLE "));
    name_add_postgres(out, s->tables[k->child].name);
    buf_add(out, S(" ADD FOREIGN KEY "));
    add_columns(out, &s->tables[k->child], k->columns, k->n);
    buf_add(out, S(" REFERENCES "));
    name_add_postgres(out, s->tables[k->parent].name);
    buf_char(out, ' ');
    add_columns(out, &s->tables[k->parent], k->targets, k->n);
    buf_add(out, S(";\n"));
}

void schema_to_postgres(buf *out,
                        const schema *s,
                        bool keeps_keys,
                        arena scratch)
{
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        if (!s->tables[t].view) {
            add_table(out, &s->tables[t], keeps_keys, scratch);
        }
    }
    for (ptrdiff_t k = 0; keeps_keys && k < s->n_keys; k++) {
        if (s->keys[k].is_sound) {
            add_key(out, s, &s->keys[k]);
        }
    }
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        if (s->tables[t].view) {
            buf_add(out, S("CREATE VIEW "));
            name_add_postgres(out, s->tables[t].name);
            buf_add(out, S(" AS "));
            print_sql(out, s->tables[t].view, DIALECT_POSTGRES, PRINT_ONE_LINE,
                      scratch);
            buf_add(out, S(";\n"));
        }
    }
}
