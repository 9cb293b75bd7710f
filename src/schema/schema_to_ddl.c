/*
 * schema_to_ddl.c - a schema as CREATE statements: the only writer of them.
 *
 * Method      Who gets the statements is data: a `target` says how names are
 *             written, what stands between items, and whether foreign keys
 *             follow all tables (PostgreSQL demands that the parent is there).
 *             What a target would not take (a check that calls a function of
 *             another system, a key that is none) is left out, and a comment
 *             says so.
 *
 * Invariant   Names, types and comments are texts of strangers. Each goes
 *             through put(), name_add*(), schema_add_sqlite_type(),
 *             schema_type_in() or add_remark(): none can end the place
 *             where it stands.
 */
#include "schema/schema_build.h"
#include "schema/schema_ddl.h"
#include "schema/schema_said.h"
#include "sql/name.h"
#include "sql/print.h"

#include <assert.h>
#include <stdarg.h>

typedef enum target_kind {
    TO_SQLITE,
    TO_POSTGRES,
    TO_DUCKDB,
    TO_READER,  // a person or a model
} target_kind;

typedef struct target {
    str before;   // the first item of a table
    str between;  // two items
    str after;    // the last one
    str computed[2];
    dialect dialect;
    bool keys_follow;  // foreign keys stand after all tables
} target;

static const target targets[] = {
    [TO_SQLITE] = {S_INIT(" ("),
                   S_INIT(", "),
                   S_INIT(")"),
                   {S_INIT(" AS ("), S_INIT(")")},
                   DIALECT_SQLITE,
                   false},
    [TO_POSTGRES] = {S_INIT(" ("),
                     S_INIT(", "),
                     S_INIT(")"),
                     {S_INIT(" GENERATED ALWAYS AS ("), S_INIT(") STORED")},
                     DIALECT_POSTGRES,
                     true},
    [TO_DUCKDB] = {S_INIT(" ("),
                   S_INIT(", "),
                   S_INIT(")"),
                   {S_INIT(" GENERATED ALWAYS AS ("), S_INIT(")")},
                   DIALECT_DUCKDB,
                   false},
    [TO_READER] = {S_INIT(" (\n  "),
                   S_INIT(",\n  "),
                   S_INIT("\n)"),
                   {S_INIT(""), S_INIT("")},
                   DIALECT_SQLITE,
                   false},
};

typedef struct writer {
    buf *out;
    const schema *s;
    target_kind kind;
    const target *to;
    bool keeps_keys;
    bool is_first;      // no item of this table is written yet
    table_order order;  // of the tables when rows are added
    int n_indexes;      // that have names
    arena scratch;
} writer;

static void add_name(writer *w, str name)
{
    switch (w->kind) {
    case TO_SQLITE: name_add_quoted(w->out, name, DIALECT_SQLITE); break;
    case TO_POSTGRES: name_add(w->out, name, DIALECT_POSTGRES); break;
    case TO_DUCKDB: name_add_quoted(w->out, name, DIALECT_DUCKDB); break;
    case TO_READER: name_add_readable(w->out, name); break;
    }
}

static void add_table_name(writer *w, str name)
{
    if (w->kind == TO_DUCKDB) {
        name_add_table(w->out, name, DIALECT_DUCKDB);
    } else {
        add_name(w, name);
    }
}

// In a comment, which the end of a line would end.
static void add_remark(buf *out, str text)
{
    for (ptrdiff_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        buf_char(out, c < ' ' || c == 0x7f ? ' ' : (char)c);
    }
}

static void begin_item(writer *w)
{
    buf_add(w->out, w->is_first ? w->to->before : w->to->between);
    w->is_first = false;
}

// NULL: all of them, in their order.
static void add_columns(writer *w,
                        const schema_table *t,
                        const int32_t *columns,
                        ptrdiff_t n)
{
    buf_char(w->out, '(');
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t column = columns ? columns[i] : i;
        buf_add(w->out, i > 0 ? S(", ") : S(""));
        if (column >= 0) {
            add_name(w, t->columns[column].name);
        }
    }
    buf_char(w->out, ')');
}

// Writes the form: %n is a name, %t that of a table, %r a text that is not
// ours, %e an expression or query, %s anything else.
static void put(writer *w, const char *form, ...)
{
    va_list args;
    va_start(args, form);
    for (const char *at = form; *at; at++) {
        if (*at != '%') {
            buf_char(w->out, *at);
            continue;
        }
        switch (*++at) {
        case 'n': add_name(w, va_arg(args, str)); break;
        case 't': add_table_name(w, va_arg(args, str)); break;
        case 'r': add_remark(w->out, va_arg(args, str)); break;
        case 'e':
            print_sql(w->out, va_arg(args, const ast *), w->to->dialect,
                      PRINT_ONE_LINE, w->scratch);
            break;
        default: buf_add(w->out, va_arg(args, str)); break;
        }
    }
    va_end(args);
}

// May what a column is computed from be written for the target?
static bool takes(const writer *w, const schema_table *t, const ast *expr)
{
    dialect own = w->to->dialect;
    return w->kind != TO_READER
           && schema_said(NULL, t, expr, own, own, w->scratch);
}

static str collation_word(schema_collation c)
{
    return c == COLLATION_NOCASE  ? S("NOCASE")
           : c == COLLATION_RTRIM ? S("RTRIM")
                                  : (str){0};
}

// Is it INTEGER PRIMARY KEY DESC, which SQLite only takes next to the column?
static bool is_inline_key(const writer *w,
                          const schema_table *t,
                          int32_t column)
{
    assert(column >= 0 && column < t->n_columns);
    const schema_unique *primary = schema_primary(t);
    return w->kind == TO_SQLITE && primary && primary->n == 1
           && primary->columns[0] == column && t->has_rowid
           && !t->columns[column].is_rowid
           && str_equal_fold(t->columns[column].type, S("integer"));
}

static bool is_named_enum(const writer *w, const schema_column *c)
{
    return w->kind == TO_POSTGRES && c->enum_name.len > 0
           && !schema_is_foreign_type(c, w->to->dialect);
}

static void add_type(writer *w, const schema_table *t, const schema_column *c)
{
    switch (w->kind) {
    case TO_SQLITE: schema_add_sqlite_type(w->out, c, t->is_strict); break;
    case TO_POSTGRES:
    case TO_DUCKDB:
        buf_char(w->out, ' ');
        if (is_named_enum(w, c)) {
            add_name(w, c->enum_name);
        } else {
            buf_add(w->out, schema_type_in(c, w->to->dialect));
        }
        break;
    case TO_READER: schema_add_readable_type(w->out, c); break;
    }
}

static void add_column(writer *w, const schema_table *t, int32_t column)
{
    assert(column >= 0 && column < t->n_columns);
    const schema_column *c = &t->columns[column];
    begin_item(w);
    add_name(w, c->name);
    add_type(w, t, c);
    if (w->keeps_keys && is_inline_key(w, t, column)) {
        buf_add(w->out, S(" PRIMARY KEY DESC"));
    }
    if (w->keeps_keys && c->is_not_null) {
        buf_add(w->out, S(" NOT NULL"));
    }
    if (w->kind == TO_SQLITE && collation_word(c->collation).len > 0) {
        put(w, " COLLATE %s", collation_word(c->collation));
    }
    if (c->generated && takes(w, t, c->generated)) {
        put(w, "%s%e%s", w->to->computed[0], c->generated, w->to->computed[1]);
    }
    if (w->kind == TO_SQLITE && w->keeps_keys && c->is_held_to_type) {
        buf_add(w->out, S(" CHECK (NOT "));
        schema_add_misfit(w->out, c);
        buf_char(w->out, ')');
    }
}

// SQLite's keys may compare otherwise than their columns.
static void add_key_collation(writer *w,
                              const schema_table *t,
                              const schema_unique *key,
                              ptrdiff_t at)
{
    assert(at >= 0 && at < key->n);
    schema_collation how = schema_unique_collation(t, key, at);
    if (w->kind == TO_SQLITE && how != t->columns[key->columns[at]].collation) {
        str word = collation_word(how);
        put(w, " COLLATE %s", word.len > 0 ? word : S("BINARY"));
    }
}

static void add_uniques(writer *w, const schema_table *t)
{
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        const schema_unique *u = &t->uniques[i];
        if (u->is_primary && u->n == 1 && is_inline_key(w, t, u->columns[0])) {
            continue;
        }
        begin_item(w);
        buf_add(w->out, u->is_primary ? S("PRIMARY KEY (") : S("UNIQUE ("));
        for (ptrdiff_t k = 0; k < u->n; k++) {
            buf_add(w->out, k > 0 ? S(", ") : S(""));
            add_name(w, t->columns[u->columns[k]].name);
            add_key_collation(w, t, u, k);
        }
        buf_char(w->out, ')');
    }
}

static void add_key(writer *w, const schema_key *k)
{
    assert(k->parent >= 0);  // see schema_key_is_complete()
    buf_add(w->out, S("FOREIGN KEY "));
    add_columns(w, &w->s->tables[k->child], k->columns, k->n);
    put(w, " REFERENCES %t%s", w->s->tables[k->parent].name,
        w->kind == TO_READER ? S("") : S(" "));
    add_columns(w, &w->s->tables[k->parent], k->targets, k->n);
    bool is_late = w->kind != TO_READER && schema_key_is_late(&w->order, k);
    buf_add(w->out, is_late ? S(" DEFERRABLE INITIALLY DEFERRED") : S(""));
}

static void add_rules(writer *w, int32_t table)
{
    const schema_table *t = &w->s->tables[table];
    add_uniques(w, t);
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        begin_item(w);
        put(w, "CHECK (%e)", t->checks[i]);
    }
    for (ptrdiff_t i = 0; i < w->s->n_keys && !w->to->keys_follow; i++) {
        const schema_key *k = &w->s->keys[i];
        if (k->child == table && k->is_sound && schema_key_is_complete(k)
            && !(w->kind == TO_DUCKDB && schema_key_is_late(&w->order, k))) {
            begin_item(w);
            add_key(w, k);
        }
    }
}

// DuckDB has no index of some rows only.
static bool takes_index(const writer *w, const schema_unique_index *u)
{
    return w->kind != TO_DUCKDB || !u->where;
}

// What SQLite does not get of a table.
static void add_left_out(writer *w, int32_t table)
{
    const schema_table *t = &w->s->tables[table];
    for (ptrdiff_t i = 0; i < w->s->n_keys; i++) {
        const schema_key *k = &w->s->keys[i];
        if (k->child == table && !k->is_sound) {
            put(w, " -- %s: %r",
                k->is_unenforced ? S("a foreign key that is not enforced")
                : k->parent < 0  ? S("no such table is known")
                                 : S("not a key of its parent"),
                k->parent_name);
        }
    }
    for (ptrdiff_t i = 0; i < t->n_unheld; i++) {
        buf_add(w->out, S(" -- a constraint is not assumed"));
    }
}

// What of the declaration is another in PostgreSQL or DuckDB.
static void add_foreign_types(writer *w, const schema_table *t)
{
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        if (schema_is_foreign_type(&t->columns[c], w->to->dialect)) {
            put(w, " -- %r: %s here", t->columns[c].type,
                schema_type_in(&t->columns[c], w->to->dialect));
        }
    }
}

// A reference that no engine would enforce is still how tables join: said
// after the table, where it is no constraint.
static void add_hints(writer *w, int32_t table)
{
    const schema_table *t = &w->s->tables[table];
    for (ptrdiff_t i = 0; i < w->s->n_keys; i++) {
        const schema_key *k = &w->s->keys[i];
        if (k->child == table && schema_key_is_complete(k) && !k->is_sound) {
            const schema_table *parent = &w->s->tables[k->parent];
            put(w, "-- %n", t->name);
            add_columns(w, t, k->columns, k->n);
            put(w, " refers to %n", parent->name);
            add_columns(w, parent, k->targets, k->n);
            buf_char(w->out, '\n');
        }
    }
}

static void end_table(writer *w, int32_t table)
{
    const schema_table *t = &w->s->tables[table];
    bool is_sqlite = w->kind == TO_SQLITE;
    bool without =
        is_sqlite && w->keeps_keys && !t->has_rowid && schema_primary(t);
    buf_add(w->out, w->to->after);
    buf_add(w->out, without ? S(" WITHOUT ROWID") : S(""));
    if (is_sqlite && t->is_strict) {
        buf_add(w->out, without ? S(", STRICT") : S(" STRICT"));
    }
    buf_char(w->out, ';');
    if (is_sqlite && w->keeps_keys) {
        add_left_out(w, table);
    } else if (dialect_follows_postgres(w->to->dialect)) {
        add_foreign_types(w, t);
    }
    buf_char(w->out, '\n');
    if (w->kind == TO_READER) {
        add_hints(w, table);
    }
}

// Of a table that is known under the name of its schema.
static void add_schema(writer *w, str table)
{
    str name = str_cut(&table, '.');
    if (table.len > 0) {
        put(w, "CREATE SCHEMA IF NOT EXISTS %n;\n", name);
    }
}

static void add_table(writer *w, int32_t table)
{
    assert(!w->s->tables[table].view);  // see add_view()
    const schema_table *t = &w->s->tables[table];
    if (w->kind == TO_DUCKDB) {
        add_schema(w, t->name);
    }
    put(w, "CREATE TABLE %t", t->name);
    w->is_first = true;
    for (int32_t c = 0; c < t->n_columns; c++) {
        add_column(w, t, c);
    }
    if (w->keeps_keys) {
        add_rules(w, table);
    }
    // PostgreSQL has tables without columns.
    buf_add(w->out, w->is_first ? S(" (") : S(""));
    end_table(w, table);
}

static void add_view(writer *w, const schema_table *t)
{
    assert(t->view);
    put(w, "CREATE VIEW %t", t->name);
    if (w->kind == TO_SQLITE && t->n_columns > 0) {
        buf_char(w->out, ' ');
        add_columns(w, t, NULL, t->n_columns);
    }
    put(w, " AS %e;\n", t->view);
}

// An expression stands in parentheses, its collation behind them.
static void add_index_key(writer *w, const ast *expr)
{
    bool collates = expr->kind == AST_COLLATE;
    const ast *key = collates ? expr->kid[COLLATE_EXPR] : expr;
    bool is_column = key->kind == AST_COLUMN || key->kind == AST_DOUBT;
    put(w, is_column ? "%e" : "(%e)", key);
    if (collates) {
        buf_add(w->out, S(" COLLATE "));
        name_add(w->out, expr->text, w->to->dialect);
    }
}

// Tables and indexes share their names.
static void add_index_name(writer *w)
{
    arena scratch = w->scratch;
    str name;
    do {
        name = arena_printf(&scratch, "unique_%d", ++w->n_indexes);
    } while (schema_find_table(w->s, name) >= 0);
    add_name(w, name);
}

static void add_indexes(writer *w, const schema_table *t)
{
    assert(w->keeps_keys);
    for (ptrdiff_t i = 0; i < t->n_indexes; i++) {
        const schema_unique_index *u = &t->indexes[i];
        if (!takes_index(w, u)) {
            continue;
        }
        buf_add(w->out, S("CREATE UNIQUE INDEX "));
        add_index_name(w);
        put(w, " ON %t (", t->name);
        for (const ast *key = u->keys; key; key = key->next) {
            buf_add(w->out, key == u->keys ? S("") : S(", "));
            add_index_key(w, key->kid[SORT_EXPR]);
        }
        buf_char(w->out, ')');
        if (u->where) {
            put(w, " WHERE %e", u->where);
        }
        buf_add(w->out, S(";\n"));
    }
}

static void add_following_keys(writer *w)
{
    for (ptrdiff_t i = 0; i < w->s->n_keys; i++) {
        const schema_key *k = &w->s->keys[i];
        if (k->is_sound && schema_key_is_complete(k)) {
            put(w, "ALTER TABLE %n ADD ", w->s->tables[k->child].name);
            add_key(w, k);
            buf_add(w->out, S(";\n"));
        }
    }
}

// SQLite makes its own tables itself, and has none without columns.
static bool is_makable(const writer *w, const schema_table *t)
{
    return dialect_follows_postgres(w->to->dialect)
           || (t->n_columns > 0 && !str_starts_fold(t->name, S("sqlite_")));
}

static bool is_wanted(const writer *w, ptrdiff_t table)
{
    const schema_table *t = &w->s->tables[table];
    return !t->view && is_makable(w, t);
}

static writer writer_for(target_kind kind, buf *out, const schema *s)
{
    return (writer){.out = out, .s = s, .kind = kind, .to = &targets[kind]};
}

static target_kind target_of(dialect d)
{
    return d == DIALECT_POSTGRES ? TO_POSTGRES
           : d == DIALECT_DUCKDB ? TO_DUCKDB
                                 : TO_SQLITE;
}

// Each once, before the tables.
static void add_enums(writer *w, arena scratch)
{
    map made = {0};
    for (ptrdiff_t t = 0; t < w->s->n_tables; t++) {
        const schema_table *of = &w->s->tables[t];
        for (ptrdiff_t i = 0; is_wanted(w, t) && i < of->n_columns; i++) {
            const schema_column *c = &of->columns[i];
            if (is_named_enum(w, c) && map_find(&made, c->enum_name) < 0) {
                map_add(&made, &scratch, c->enum_name);
                put(w, "CREATE TYPE %n AS %s;\n", c->enum_name, c->type);
            }
        }
    }
}

// DuckDB takes no key to a table that is not yet there.
static void add_tables(writer *w)
{
    bool in_order = w->kind == TO_DUCKDB;
    ptrdiff_t n = in_order ? w->order.n : w->s->n_tables;
    for (ptrdiff_t i = 0; i < n; i++) {
        int32_t t = in_order ? w->order.tables[i] : (int32_t)i;
        if (is_wanted(w, t)) {
            add_table(w, t);
        }
    }
}

void schema_to_ddl(buf *out, const schema *s, bool keeps_keys, arena scratch)
{
    writer w = writer_for(target_of(s->dialect), out, s);
    w.keeps_keys = keeps_keys;
    w.order = schema_order(&scratch, s);
    w.scratch = arena_half(&scratch);
    add_enums(&w, scratch);
    add_tables(&w);
    if (keeps_keys && w.to->keys_follow) {
        add_following_keys(&w);
    }
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        if (keeps_keys && is_wanted(&w, i)) {
            add_indexes(&w, &s->tables[i]);
        }
    }
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        if (s->tables[i].view && !s->tables[i].is_other_view) {
            add_view(&w, &s->tables[i]);
        }
    }
}

void schema_show_table(buf *out, const schema *s, int32_t table, arena scratch)
{
    assert(table >= 0 && table < s->n_tables);
    writer w = writer_for(TO_READER, out, s);
    w.keeps_keys = true;
    w.scratch = scratch;
    if (s->tables[table].view) {
        add_view(&w, &s->tables[table]);
    } else {
        add_table(&w, table);
    }
}
