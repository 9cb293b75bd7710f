/*
 * schema_ddl.c - a schema from the CREATE statements of a script.
 *
 * Method      Statements are read in their order into drafts of tables, which
 *             ALTER TABLE and CREATE INDEX continue; foreign keys are made
 *             last, when all tables are known.
 *
 * Invariants  (1) Of several CREATE TABLE of one name the first counts, unless
 *                 it was dropped or replaced between them.
 *             (2) A table has at most one primary key, and it is its first key;
 *                 a second PRIMARY KEY makes the first one UNIQUE.
 *             (3) What is not understood is reported, and the rest is read.
 *
 * Cost        Linear in the statements.
 */
#include "schema/schema_ddl.h"

#include "schema/schema_build.h"
#include "schema/schema_said.h"
#include "sql/parse.h"
#include "sql/semantics.h"
#include "sql/translate.h"

#include <assert.h>

typedef struct table_draft {
    schema_table t;
    str place;  // the schema that it is said to lie in; empty: none
    vec_of(schema_column) columns;
    map names;  // of the columns, in their order
    vec_of(schema_unique) uniques;
    vec_of(const ast *) indexes;  // unique ones that are no key
    vec_of(ast *) checks;
    bool is_desc;     // SQLite: PRIMARY KEY DESC after a column is no rowid
    bool is_dropped;  // counts only if it is not made again
} table_draft;

typedef struct reader {
    arena *a;
    arena *temp;
    str sql;
    str file;
    dialect dialect;
    dialect home;
    diag *d;
    vec_of(table_draft) tables;
    map names;                // of tables
    vec_of(int32_t) of_name;  // the first of that name
    vec_of(key_draft) keys;
    vec_of(const ast *) types;  // that have names
    vec_of(str) others;         // tables whose columns are not listed
    bool is_whole;              // everything was understood
} reader;

static void complain(reader *r, const ast *n, const char *text)
{
    diag_add(r->d, diag_locate(r->file, r->sql, n->pos), "%s", text);
    r->is_whole = false;
}

// BigQuery quotes the whole of `project.data.t`.
static str own_name(const reader *r, str name)
{
    ptrdiff_t at = name.len;
    while (r->dialect == DIALECT_BIGQUERY && at > 0
           && name.ptr[at - 1] != '.') {
        at--;
    }
    return at == name.len ? name : str_skip(name, at);
}

static int32_t find_draft(const reader *r, str name)
{
    ptrdiff_t at = map_find(&r->names, own_name(r, name));
    return at < 0 ? -1 : r->of_name.ptr[at];
}

static int32_t find_column(const table_draft *t, str name)
{
    return (int32_t)map_find(&t->names, name);
}

// The type as typed, without quotes and with one blank between words.
static str type_text(reader *r, const ast *type)
{
    buf out = buf_new(r->a);
    str typed = str_sub(r->sql, type->pos, type->pos + type->len);
    for (ptrdiff_t i = 0; i < typed.len; i++) {
        char c = typed.ptr[i];
        // "text", [int]; but text[] is an array of PostgreSQL.
        bool is_array = dialect_follows_postgres(r->dialect);
        bool quote =
            c == '"' || c == '`' || ((c == '[' || c == ']') && !is_array);
        if (is_space(c) && i > 0 && !is_space(typed.ptr[i - 1])) {
            buf_char(&out, ' ');
        } else if (!is_space(c) && !quote) {
            buf_char(&out, c);
        }
    }
    return buf_str(&out);
}

typedef vec_of(int32_t) place_list;

typedef vec_of(schema_collation) collation_list;

// By which collation each column that SORTs or NAMEs name is compared; NULL:
// each by its own.
static const schema_collation *find_collations(reader *r,
                                               const table_draft *t,
                                               const ast *names,
                                               const place_list *columns)
{
    collation_list out = {0};
    bool has_own = false;
    for (const ast *n = names; n; n = n->next) {
        has_own |= n->kind == AST_SORT && n->kid[SORT_EXPR]
                   && n->kid[SORT_EXPR]->kind == AST_COLLATE;
    }
    for (const ast *n = has_own ? names : NULL; n && out.len < columns->len;
         n = n->next) {
        const ast *name = ast_unaliased(n);
        int32_t column = columns->ptr[out.len];
        *vec_push(r->a, &out) = name && name->kind == AST_COLLATE
                                    ? schema_collation_of(name->text)
                                    : t->columns.ptr[column].collation;
    }
    return out.ptr;
}

// Places of the columns that SORTs or NAMEs name; false when one is none.
static bool find_columns(reader *r,
                         const table_draft *t,
                         const ast *names,
                         place_list *out)
{
    assert(out->len == 0);
    for (const ast *n = names; n; n = n->next) {
        const ast *name = ast_unaliased(n);
        name = name->kind == AST_COLLATE ? name->kid[COLLATE_EXPR] : name;
        bool is_name = name->kind == AST_COLUMN || name->kind == AST_NAME
                       || name->kind == AST_DOUBT;
        int32_t c = is_name ? find_column(t, name->text) : -1;
        if (c < 0) {
            return false;
        }
        *vec_push(r->a, out) = c;
    }
    return out->len > 0;
}

// `names`: of the columns, as they are written; NULL: there are none.
static void add_unique(reader *r,
                       table_draft *t,
                       const place_list *columns,
                       const ast *names,
                       bool is_primary)
{
    assert(columns->len > 0);
    schema_unique unique = {
        columns->ptr,
        columns->len,
        is_primary,
        find_collations(r, t, names, columns),
    };
    vec_push(r->temp, &t->uniques);
    ptrdiff_t at = t->uniques.len - 1;
    if (is_primary) {
        for (; at > 0; at--) {
            t->uniques.ptr[at] = t->uniques.ptr[at - 1];
            t->uniques.ptr[at].is_primary = false;
        }
    }
    t->uniques.ptr[at] = unique;
}

// Other systems' collations say more than SQLite's three: those of PostgreSQL
// tell texts apart by their bytes, and "_ci" is what texts do anyway where they
// are folded. Of others it is not known.
static bool compares_otherwise(const reader *r, str collation)
{
    bool folds = dialect_semantics(r->dialect).texts_are_folded
                 && str_find_fold(collation, S("_ci"), 0) >= 0;
    return r->dialect != DIALECT_SQLITE && r->dialect != DIALECT_POSTGRES
           && !folds;
}

// MySQL's KEY ((lower(x))): of its columns alone it says nothing.
static bool is_computed_key(const reader *r, const ast *sorts)
{
    bool is = false;
    for (const ast *n = sorts; n && r->dialect == DIALECT_MYSQL; n = n->next) {
        int kind = ast_unaliased(n)->kind;
        is |= kind != AST_COLUMN && kind != AST_NAME && kind != AST_DOUBT;
    }
    return is;
}

// A key of the whole table, or of one of its columns (column >= 0).
static void read_key(reader *r, table_draft *t, int32_t column, const ast *rule)
{
    place_list columns = {0};
    bool is_primary = rule->form == CONSTRAINT_FORM_PRIMARY;
    if (column >= 0) {
        *vec_push(r->a, &columns) = column;
        const ast *after = rule->kid[CONSTRAINT_AFTER];
        t->is_desc |=
            is_primary && after && str_starts_fold(after->text, S("desc"));
    } else if (is_computed_key(r, rule->kid[CONSTRAINT_COLUMNS])) {
        return;
    } else if (!find_columns(r, t, rule->kid[CONSTRAINT_COLUMNS], &columns)) {
        complain(r, rule, "a key of columns that the table does not have");
        return;
    }
    add_unique(r, t, &columns, rule->kid[CONSTRAINT_COLUMNS], is_primary);
}

static const str *name_targets(reader *r, const ast *names)
{
    str *out = names ? arena_new(r->temp, str, ast_list_len(names)) : NULL;
    ptrdiff_t n = 0;
    for (const ast *name = names; name; name = name->next) {
        out[n++] = name->text;
    }
    return out;
}

static void read_foreign(reader *r,
                         int32_t table,
                         int32_t column,
                         const ast *rule)
{
    assert(table >= 0 && table < r->tables.len);
    const table_draft *t = &r->tables.ptr[table];
    place_list columns = {0};
    const ast *targets = rule->kid[CONSTRAINT_TARGETS];
    if (!rule->kid[CONSTRAINT_PARENT]) {
        return;  // a mistake that has been reported
    }
    if (column >= 0) {
        *vec_push(r->a, &columns) = column;
    } else if (!find_columns(r, t, rule->kid[CONSTRAINT_COLUMNS], &columns)) {
        complain(r, rule, "a foreign key of columns that are not there");
        return;
    }
    if (targets && ast_list_len(targets) != columns.len) {
        complain(r, rule, "a foreign key of unlike numbers of columns");
        return;
    }
    *vec_push(r->temp, &r->keys) = (key_draft){
        .child = table,
        .columns = columns.ptr,
        .targets = name_targets(r, targets),
        .n = columns.len,
        .parent =
            arena_str(r->a, own_name(r, rule->kid[CONSTRAINT_PARENT]->text)),
        .is_unenforced = (rule->flags & AST_FLAG_NOT) != 0,
    };
}

// ALTER TABLE ... ALTER COLUMN x SET NOT NULL names its columns.
static void read_not_null(reader *r,
                          table_draft *t,
                          int32_t column,
                          const ast *rule)
{
    place_list columns = {0};
    find_columns(r, t, rule->kid[CONSTRAINT_COLUMNS], &columns);
    for (ptrdiff_t i = 0; i < columns.len; i++) {
        t->columns.ptr[columns.ptr[i]].is_not_null = true;
    }
    if (column >= 0) {
        t->columns.ptr[column].is_not_null = true;
    }
}

// LIKE t: it has columns of t, too.
static void read_other(schema_table *t, const ast *rule)
{
    const ast *after = rule->kid[CONSTRAINT_AFTER];
    str words = after ? after->text : (str){0};
    t->is_virtual |= str_starts_fold(words, S("like "));
    t->n_unheld += str_starts_fold(words, S("exclude"));
}

static void read_rule(reader *r, int32_t table, int32_t column, const ast *rule)
{
    assert(table >= 0 && table < r->tables.len);
    assert(rule->kind == AST_CONSTRAINT);
    table_draft *t = &r->tables.ptr[table];
    ast *expr = rule->kid[CONSTRAINT_EXPR];
    schema_column *c = column >= 0 ? &t->columns.ptr[column] : NULL;
    if ((rule->flags & AST_FLAG_NOT) && rule->form != CONSTRAINT_FORM_FOREIGN) {
        t->t.n_unheld++;
        return;
    }
    switch (rule->form) {
    case CONSTRAINT_FORM_PRIMARY:
    case CONSTRAINT_FORM_UNIQUE: read_key(r, t, column, rule); break;
    case CONSTRAINT_FORM_FOREIGN: read_foreign(r, table, column, rule); break;
    case CONSTRAINT_FORM_NOT_NULL: read_not_null(r, t, column, rule); break;
    case CONSTRAINT_FORM_CHECK: *vec_push(r->temp, &t->checks) = expr; break;
    case CONSTRAINT_FORM_DEFAULT:
        if (c) {
            c->fallback = expr;
        }
        break;
    case CONSTRAINT_FORM_GENERATED:
        if (c) {
            c->generated = expr;
        }
        break;
    case CONSTRAINT_FORM_COLLATE:
        if (c && expr && r->dialect == DIALECT_SQLITE) {
            c->collation = schema_collation_of(expr->text);
        }
        t->t.is_virtual |= expr && compares_otherwise(r, expr->text);
        break;
    case CONSTRAINT_FORM_OTHER: read_other(&t->t, rule); break;
    default: break;
    }
}

// Of a type or a table: without the schema that it lies in, and its quotes.
static str bare_name(str name)
{
    ptrdiff_t dot = str_find(name, S("."), 0);
    ptrdiff_t open = str_find(name, S("("), 0);
    if (dot >= 0 && (open < 0 || dot < open)) {
        return bare_name(str_skip(name, dot + 1));
    }
    bool is_quoted = name.len > 2 && (name.ptr[0] == '"' || name.ptr[0] == '`');
    return is_quoted ? str_sub(name, 1, name.len - 1) : name;
}

// The CREATE TYPE of what stands as a type, by its name; NULL: it is none of
// those, or one of several.
static const ast *named_type(const reader *r, const ast *type, str name)
{
    const ast *found = NULL;
    int n_found = 0;
    bool is_bare = !type->kid[TYPE_ARGS] && !type->kid[TYPE_AFTER];
    for (ptrdiff_t i = 0; is_bare && i < r->types.len; i++) {
        bool is_it = str_equal_fold(r->types.ptr[i]->text, name);
        found = is_it ? r->types.ptr[i] : found;
        n_found += is_it;
    }
    return n_found == 1 ? found : NULL;
}

static schema_column begin_column(reader *r, const ast *def)
{
    const ast *type = def->kid[COLUMN_DEF_TYPE];
    bool has_type = type && type->kind == AST_TYPE;
    str text = has_type ? bare_name(type_text(r, type)) : (str){0};
    const ast *named = has_type ? named_type(r, type, text) : NULL;
    if (named) {
        type = named->kid[CREATE_TYPE_TYPE];
        text = bare_name(type_text(r, type));
    }
    schema_column c =
        schema_column_in(arena_str(r->a, def->text), text, r->dialect);
    if (named && r->dialect == DIALECT_POSTGRES
        && str_equal_fold(type->text, S("enum"))) {
        c.enum_name = arena_str(r->a, named->text);
    }
    return c;
}

// FAMILY f (a, b), INVERTED INDEX (a): of columns of the table, and so a clause
// of some system and no column with a type.
static bool is_of_columns(const table_draft *t, const ast *type)
{
    const ast *arg =
        type && type->kind == AST_TYPE ? type->kid[TYPE_ARGS] : NULL;
    bool is = arg != NULL;
    for (; arg && is; arg = arg->next) {
        is = arg->kind == AST_COLUMN && find_column(t, arg->text) >= 0;
    }
    return is;
}

static void read_column(reader *r, int32_t table, const ast *def)
{
    assert(table >= 0 && table < r->tables.len);
    table_draft *t = &r->tables.ptr[table];
    if (is_of_columns(t, def->kid[COLUMN_DEF_TYPE])) {
        return;
    }
    if (find_column(t, def->text) >= 0) {
        complain(r, def, "a second column of that name");
        return;
    }
    schema_column c = begin_column(r, def);
    int32_t column = (int32_t)t->columns.len;
    *vec_push(r->a, &t->columns) = c;
    map_add(&t->names, r->temp, c.name);
    if (r->dialect == DIALECT_MYSQL && str_equal_fold(c.type, S("serial"))) {
        place_list own = {0};
        *vec_push(r->a, &own) = column;
        add_unique(r, t, &own, NULL, false);
    }
    for (const ast *rule = def->kid[COLUMN_DEF_RULES]; rule;
         rule = rule->next) {
        if (rule->kind == AST_CONSTRAINT) {
            read_rule(r, table, column, rule);
        }
    }
}

static void read_item(reader *r, int32_t table, const ast *item)
{
    if (item->kind == AST_COLUMN_DEF) {
        read_column(r, table, item);
    } else if (item->kind == AST_CONSTRAINT) {
        read_rule(r, table, -1, item);
    }
}

// What was said of a table that is made again.
static void forget_table(reader *r, int32_t table)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t k = 0; k < r->keys.len; k++) {
        if (r->keys.ptr[k].child != table) {
            r->keys.ptr[n++] = r->keys.ptr[k];
        }
    }
    r->keys.len = n;
    r->tables.ptr[table] = (table_draft){0};
}

// In the place of the one of that name, if it was dropped.
static int32_t open_table(reader *r, str name)
{
    int32_t place = find_draft(r, name);
    if (place >= 0) {
        forget_table(r, place);
    } else {
        place = (int32_t)r->tables.len;
        vec_push(r->temp, &r->tables);
        *vec_push(r->temp, &r->of_name) = place;
    }
    table_draft *t = &r->tables.ptr[place];
    t->t.name = arena_str(r->a, own_name(r, name));
    t->names.ignores_case = true;
    map_add(&r->names, r->temp, t->t.name);
    return place;
}

static void read_drop(reader *r, const ast *n)
{
    for (const ast *t = n->kid[DROP_TABLE_NAMES]; t; t = t->next) {
        int32_t of = t->kind == AST_TABLE ? find_draft(r, t->text) : -1;
        if (of >= 0) {
            r->tables.ptr[of].is_dropped = true;
        }
    }
}

// COLLATE = utf8mb4_bin among the words behind the columns, of all of them.
static bool collates_otherwise(const reader *r, str words)
{
    arena temp = *r->temp;
    words = arena_lower(&temp, words);
    ptrdiff_t at = str_find(words, S("collate"), 0);
    bool is_quoted = at > str_find(words, S("'"), 0)  // COMMENT 'collate'
                     && str_find(words, S("'"), 0) >= 0;
    str name = at < 0 || is_quoted ? (str){0} : str_skip(words, at + 7);
    while (name.len > 0 && (name.ptr[0] == ' ' || name.ptr[0] == '=')) {
        name = str_skip(name, 1);
    }
    ptrdiff_t end = str_find(name, S(" "), 0);
    return name.len > 0
           && compares_otherwise(r, end < 0 ? name : str_sub(name, 0, end));
}

// INHERITS (public.t, "U"): it has columns of those, and they its rows.
static void read_parents(reader *r, table_draft *t, str words)
{
    bool inherits = str_starts_fold(words, S("inherits"));
    t->t.is_virtual |= inherits;
    str names = str_skip(words, str_find(words, S("("), 0) + 1);
    names = str_cut(&names, ')');
    while (inherits && names.len > 0) {
        int32_t of = find_draft(r, bare_name(str_trim(str_cut(&names, ','))));
        if (of >= 0) {
            r->tables.ptr[of].t.is_virtual = true;
        }
    }
}

// Is something of that name there, which the statement does not replace?
static bool is_known(const reader *r, int32_t known, const ast *create)
{
    return known >= 0 && !(create->flags & AST_FLAG_ALL)
           && !r->tables.ptr[known].is_dropped;
}

static void read_table(reader *r, const ast *n)
{
    const ast *path = ast_last(n->kid[CREATE_TABLE_PATH]);
    str in = path ? path->text : S("");
    int32_t known = find_draft(r, n->text);
    if (is_known(r, known, n)) {
        // The first one counts, as with IF NOT EXISTS.
        table_draft *first = &r->tables.ptr[known];
        first->t.is_ambiguous |= !str_equal_fold(first->place, in);
        return;
    }
    if (!n->kid[CREATE_TABLE_ITEMS]) {
        *vec_push(r->a, &r->others) = arena_str(r->a, n->text);
        return;
    }
    int32_t table = open_table(r, n->text);
    table_draft *t = &r->tables.ptr[table];
    t->place = in;
    t->t.has_rowid = true;
    for (const ast *w = n->kid[CREATE_TABLE_AFTER]; w; w = w->next) {
        t->t.has_rowid &= !str_equal_fold(w->text, S("without rowid"));
        t->t.is_strict |= str_equal_fold(w->text, S("strict"));
        t->t.is_virtual |= collates_otherwise(r, w->text);
        read_parents(r, t, w->text);
    }
    for (const ast *item = n->kid[CREATE_TABLE_ITEMS]; item;
         item = item->next) {
        read_item(r, table, item);
    }
}

// The columns of a view are known as far as it lists them.
static void read_view(reader *r, const ast *n)
{
    ast *query = n->kid[CREATE_VIEW_QUERY];
    int32_t known = find_draft(r, n->text);
    if (is_known(r, known, n) || !query || !ast_is_query(query)) {
        return;
    }
    bool is_other = r->dialect != r->home;
    if (!is_other && r->home == DIALECT_SQLITE) {
        str why;
        query = translate_to_sqlite(r->a, query, r->home, &why, *r->temp);
    }
    if (!query || n->flags & AST_FLAG_MATERIALIZED) {
        // Or it holds what its query returned some time ago.
        *vec_push(r->a, &r->others) = arena_str(r->a, n->text);
        if (known >= 0) {
            r->tables.ptr[known].t.is_altered = true;
        }
        return;
    }
    int32_t table = open_table(r, n->text);
    table_draft *t = &r->tables.ptr[table];
    t->t.view = query;
    t->t.is_other_view = is_other;
    for (const ast *c = n->kid[CREATE_VIEW_COLUMNS]; c; c = c->next) {
        *vec_push(r->a, &t->columns) =
            schema_column_of(arena_str(r->a, c->text), (str){0});
    }
}

static void read_index(reader *r, ast *n)
{
    int32_t table = find_draft(r, n->kid[CREATE_INDEX_TABLE]->text);
    const ast *keys = n->kid[CREATE_INDEX_COLUMNS];
    if (table < 0 || !keys) {
        return;
    }
    table_draft *t = &r->tables.ptr[table];
    t->t.is_indexed = true;
    if (!(n->flags & AST_FLAG_DISTINCT)) {
        return;
    }
    place_list columns = {0};
    if (!find_columns(r, t, keys, &columns) || n->kid[CREATE_INDEX_WHERE]) {
        *vec_push(r->temp, &t->indexes) = n;
    } else {
        add_unique(r, t, &columns, keys, false);
    }
}

static void read_alter(reader *r, const ast *n)
{
    assert(n->kind == AST_ALTER_TABLE);
    int32_t table = find_draft(r, n->text);
    for (const ast *item = table >= 0 ? n->kid[ALTER_TABLE_ITEMS] : NULL; item;
         item = item->next) {
        bool takes_back =
            item->kind == AST_CONSTRAINT && item->form == CONSTRAINT_FORM_OTHER;
        r->tables.ptr[table].t.is_altered |= takes_back;
        str words = takes_back ? item->kid[CONSTRAINT_AFTER]->text : (str){0};
        if (str_starts_fold(words, S("rename to "))) {
            *vec_push(r->a, &r->others) =
                arena_str(r->a, bare_name(str_last(words, ' ')));
        }
        if (!takes_back) {
            read_item(r, table, item);
        }
    }
}

static void read_statement(reader *r, ast *n)
{
    switch ((int)n->kind) {
    case AST_CREATE_TABLE: read_table(r, n); break;
    case AST_CREATE_VIEW: read_view(r, n); break;
    case AST_CREATE_INDEX: read_index(r, n); break;
    case AST_CREATE_TYPE: *vec_push(r->temp, &r->types) = n; break;
    case AST_ALTER_TABLE: read_alter(r, n); break;
    case AST_DROP_TABLE: read_drop(r, n); break;
    default: break;
    }
}

static const ast *say(reader *r, const schema_table *t, const ast *expr)
{
    return schema_said(r->a, t, expr, r->dialect, r->home, *r->temp);
}

// What the declaration says of its rows, in the words of the system that keeps
// them. What that has no words for is not assumed.
static void say_rules(reader *r, table_draft *t, schema_table *out)
{
    const ast **checks = (const ast **)arena_alloc(
        r->a, sizeof *checks, _Alignof(max_align_t), t->checks.len + 1);
    out->checks = checks;
    for (ptrdiff_t i = 0; i < t->checks.len; i++) {
        schema_read_quoted(r->a, out, t->checks.ptr[i]);
        const ast *said = say(r, out, t->checks.ptr[i]);
        checks[out->n_checks] = said;
        out->n_checks += said != NULL;
    }
    schema_unique_index *indexes =
        arena_new(r->a, schema_unique_index, t->indexes.len);
    out->indexes = indexes;
    for (ptrdiff_t i = 0; i < t->indexes.len; i++) {
        out->n_indexes +=
            schema_index_said(&indexes[out->n_indexes], r->a, out,
                              t->indexes.ptr[i], r->dialect, r->home, *r->temp);
    }
    out->n_unheld +=
        t->checks.len - out->n_checks + t->indexes.len - out->n_indexes;
    for (ptrdiff_t c = 0; c < t->columns.len; c++) {
        const ast **of = &t->columns.ptr[c].generated;
        const ast *said = *of ? say(r, out, *of) : NULL;
        *of = said ? said : *of;  // only that system knows what it holds
    }
}

static schema_table finish_table(reader *r, table_draft *t)
{
    schema_table out = t->t;
    out.columns = t->columns.ptr;
    out.n_columns = t->columns.len;
    schema_index(&out, r->a);
    schema_unique *uniques = arena_new(r->a, schema_unique, t->uniques.len);
    for (ptrdiff_t i = 0; i < t->uniques.len; i++) {
        uniques[i] = t->uniques.ptr[i];
        assert(i == 0 || !uniques[i].is_primary);  // invariant 2
    }
    out.uniques = uniques;
    out.n_uniques = t->uniques.len;
    say_rules(r, t, &out);
    const schema_unique *primary = schema_primary(&out);
    if (primary && schema_is_rowid_key(&out, primary)) {
        t->columns.ptr[primary->columns[0]].is_rowid = !t->is_desc;
    }
    for (ptrdiff_t i = 0; primary && !out.has_rowid && i < primary->n; i++) {
        t->columns.ptr[primary->columns[i]].is_not_null = true;
    }
    return out;
}

bool schema_from_ddl(schema *s,
                     arena *a,
                     str file,
                     str sql,
                     dialect from,
                     dialect home,
                     diag *d,
                     arena scratch)
{
    assert(from < DIALECT_COUNT);
    parse_result parsed = parse_ddl(a, sql, from, scratch);
    reader r = {
        .a = a,
        .temp = &scratch,
        .sql = sql,
        .file = file,
        .dialect = from,
        .home = home,
        .d = d,
        .is_whole = parsed.errors.len == 0,
        .names.ignores_case = true,
    };
    for (ptrdiff_t i = 0; i < parsed.errors.len; i++) {
        diag_add(d, diag_locate(file, sql, parsed.errors.ptr[i].pos), "%.*s",
                 STR_ARG(parsed.errors.ptr[i].text));
    }
    for (ast *n = parsed.statements; n; n = n->next) {
        read_statement(&r, n);
    }
    schema_table *tables = arena_new(a, schema_table, r.tables.len);
    for (ptrdiff_t i = 0; i < r.tables.len; i++) {
        tables[i] = finish_table(&r, &r.tables.ptr[i]);
    }
    *s = (schema){.tables = tables,
                  .n_tables = r.tables.len,
                  .others = r.others.ptr,
                  .n_others = r.others.len,
                  .dialect = home};
    schema_set_keys(s, a, r.keys.ptr, r.keys.len);
    return r.is_whole;
}
