/*
 * schema_to_ddl.c - a schema as CREATE statements that SQLite takes.
 *
 * What SQLite would not take (a type with words as its size, a check that
 * calls a function of another system) is left out, and a comment says so.
 */
#include "schema/schema_build.h"
#include "schema/schema_ddl.h"
#include "sql/print.h"

typedef struct writer {
    buf *out;
    const schema *s;
    bool keeps_keys;
    bool is_first;  // no item of this table is written yet
    arena scratch;
} writer;

static void add_name(buf *out, str name)
{
    buf_char(out, '"');
    for (ptrdiff_t i = 0; i < name.len; i++) {
        buf_char(out, name.ptr[i]);
        if (name.ptr[i] == '"') {
            buf_char(out, '"');
        }
    }
    buf_char(out, '"');
}

static str affinity_word(schema_affinity affinity)
{
    switch (affinity) {
    case AFFINITY_BLOB: return S("BLOB");
    case AFFINITY_TEXT: return S("TEXT");
    case AFFINITY_NUMERIC: return S("NUMERIC");
    case AFFINITY_INTEGER: return S("INTEGER");
    case AFFINITY_REAL: break;
    }
    return S("REAL");
}

// Words, and perhaps one or two numbers in parentheses at the end.
static bool is_plain_type(str type)
{
    ptrdiff_t n = 0;
    while (n < type.len
           && (is_alpha(type.ptr[n]) || is_digit(type.ptr[n])
               || type.ptr[n] == '_' || type.ptr[n] == ' ')) {
        n++;
    }
    if (n == 0 || is_digit(type.ptr[0])) {
        return false;
    }
    if (n < type.len && type.ptr[n] == '(') {
        for (n++; n < type.len && type.ptr[n] != ')'; n++) {
            char c = type.ptr[n];
            if (!is_digit(c) && c != ',' && c != ' ') {
                return false;
            }
        }
        return n + 1 == type.len && is_digit(type.ptr[n - 1]);
    }
    return n == type.len;
}

static str type_for(const schema_column *c, bool is_strict)
{
    bool says_it = schema_affinity_of(c->type) == c->affinity;
    if (c->type.len == 0 && says_it) {
        return (str){0};
    }
    return says_it && (is_strict || is_plain_type(c->type))
               ? c->type
               : affinity_word(c->affinity);
}

static void begin_item(writer *w)
{
    buf_add(w->out, w->is_first ? S("") : S(", "));
    w->is_first = false;
}

static void add_columns(writer *w,
                        const schema_table *t,
                        const int32_t *columns,
                        ptrdiff_t n)
{
    buf_char(w->out, '(');
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(w->out, i > 0 ? S(", ") : S(""));
        add_name(w->out, t->columns[columns[i]].name);
    }
    buf_char(w->out, ')');
}

static void add_expr(writer *w, const ast *expr)
{
    buf_char(w->out, '(');
    print_sql(w->out, expr, DIALECT_SQLITE, PRINT_ONE_LINE, w->scratch);
    buf_char(w->out, ')');
}

static str collation_word(schema_collation c)
{
    return c == COLLATION_NOCASE  ? S("NOCASE")
           : c == COLLATION_RTRIM ? S("RTRIM")
                                  : (str){0};
}

// Is it INTEGER PRIMARY KEY DESC, which only says so behind its column?
static bool is_inline_key(const schema_table *t, int32_t column)
{
    const schema_unique *primary = schema_primary(t);
    return primary && primary->n == 1 && primary->columns[0] == column
           && t->has_rowid && !t->columns[column].is_rowid
           && str_equal_fold(t->columns[column].type, S("integer"));
}

static void add_column(writer *w, const schema_table *t, int32_t column)
{
    const schema_column *c = &t->columns[column];
    str type = type_for(c, t->is_strict);
    begin_item(w);
    add_name(w->out, c->name);
    buf_add(w->out, type.len > 0 ? S(" ") : S(""));
    buf_add(w->out, type);
    if (w->keeps_keys && is_inline_key(t, column)) {
        buf_add(w->out, S(" PRIMARY KEY DESC"));
    }
    if (w->keeps_keys && c->is_not_null) {
        buf_add(w->out, S(" NOT NULL"));
    }
    if (collation_word(c->collation).len > 0) {
        buf_add(w->out, S(" COLLATE "));
        buf_add(w->out, collation_word(c->collation));
    }
    if (c->generated && schema_is_portable(c->generated)) {
        buf_add(w->out, S(" AS "));
        add_expr(w, c->generated);
    }
}

static void add_uniques(writer *w, const schema_table *t)
{
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        const schema_unique *u = &t->uniques[i];
        if (u->is_primary && u->n == 1 && is_inline_key(t, u->columns[0])) {
            continue;
        }
        begin_item(w);
        buf_add(w->out, u->is_primary ? S("PRIMARY KEY ") : S("UNIQUE "));
        buf_char(w->out, '(');
        for (ptrdiff_t k = 0; k < u->n; k++) {
            const schema_column *c = &t->columns[u->columns[k]];
            schema_collation how = schema_unique_collation(t, u, k);
            buf_add(w->out, k > 0 ? S(", ") : S(""));
            add_name(w->out, c->name);
            if (how != c->collation) {
                str word = collation_word(how);
                buf_printf(w->out, " COLLATE %.*s",
                           STR_ARG(word.len > 0 ? word : S("BINARY")));
            }
        }
        buf_char(w->out, ')');
    }
}

static void add_key(writer *w, const schema_key *k)
{
    begin_item(w);
    buf_add(w->out, S("FOREIGN KEY "));
    add_columns(w, &w->s->tables[k->child], k->columns, k->n);
    buf_add(w->out, S(" REFERENCES "));
    add_name(w->out, w->s->tables[k->parent].name);
    buf_char(w->out, ' ');
    add_columns(w, &w->s->tables[k->parent], k->targets, k->n);
}

static void add_rules(writer *w, int32_t table)
{
    const schema_table *t = &w->s->tables[table];
    add_uniques(w, t);
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        if (schema_is_portable(t->checks[i])) {
            begin_item(w);
            buf_add(w->out, S("CHECK "));
            add_expr(w, t->checks[i]);
        }
    }
    for (ptrdiff_t i = 0; i < w->s->n_keys; i++) {
        if (w->s->keys[i].child == table && w->s->keys[i].is_sound) {
            add_key(w, &w->s->keys[i]);
        }
    }
}

// What was left out; a name with a line break would end the comment.
static void add_comments(writer *w, int32_t table)
{
    const schema_table *t = &w->s->tables[table];
    for (ptrdiff_t i = 0; i < w->s->n_keys; i++) {
        const schema_key *k = &w->s->keys[i];
        if (k->child == table && !k->is_sound
            && str_find(k->parent_name, S("\n"), 0) < 0) {
            buf_add(w->out, S(" -- "));
            buf_add(w->out, k->parent < 0 ? S("no such table is known: ")
                                          : S("not a key of its parent: "));
            buf_add(w->out, k->parent_name);
        }
    }
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        if (!schema_is_portable(t->checks[i])) {
            buf_add(w->out, S(" -- a check is left out"));
        }
    }
}

static void add_table(writer *w, int32_t table)
{
    const schema_table *t = &w->s->tables[table];
    buf_add(w->out, S("CREATE TABLE "));
    add_name(w->out, t->name);
    buf_add(w->out, S(" ("));
    w->is_first = true;
    for (int32_t c = 0; c < t->n_columns; c++) {
        add_column(w, t, c);
    }
    if (w->keeps_keys) {
        add_rules(w, table);
    }
    buf_char(w->out, ')');
    bool without = w->keeps_keys && !t->has_rowid && schema_primary(t);
    buf_add(w->out, without ? S(" WITHOUT ROWID") : S(""));
    buf_add(w->out,
            t->is_strict ? without ? S(", STRICT") : S(" STRICT") : S(""));
    buf_char(w->out, ';');
    if (w->keeps_keys) {
        add_comments(w, table);
    }
    buf_char(w->out, '\n');
}

static void add_view(writer *w, const schema_table *t)
{
    if (!schema_is_portable_query(t->view)) {
        buf_add(w->out, S("-- a view is left out: "));
        buf_add(w->out, str_find(t->name, S("\n"), 0) < 0 ? t->name : S(""));
        buf_char(w->out, '\n');
        return;
    }
    buf_add(w->out, S("CREATE VIEW "));
    add_name(w->out, t->name);
    buf_add(w->out, t->n_columns > 0 ? S(" (") : S(""));
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        buf_add(w->out, c > 0 ? S(", ") : S(""));
        add_name(w->out, t->columns[c].name);
    }
    buf_add(w->out, t->n_columns > 0 ? S(") AS ") : S(" AS "));
    print_sql(w->out, t->view, DIALECT_SQLITE, PRINT_ONE_LINE, w->scratch);
    buf_add(w->out, S(";\n"));
}

void schema_to_ddl(buf *out, const schema *s, bool keeps_keys, arena scratch)
{
    if (s->dialect == DIALECT_POSTGRES) {
        schema_to_postgres(out, s, keeps_keys, scratch);
        return;
    }
    writer w = {
        .out = out, .s = s, .keeps_keys = keeps_keys, .scratch = scratch};
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        // SQLite keeps its own tables itself.
        bool is_own = str_starts_fold(s->tables[i].name, S("sqlite_"));
        if (!s->tables[i].view && !is_own && s->tables[i].n_columns > 0) {
            add_table(&w, (int32_t)i);
        }
    }
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        if (s->tables[i].view) {
            add_view(&w, &s->tables[i]);
        }
    }
}
