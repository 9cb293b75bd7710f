/*
 * bind_name.c - what a name means: scopes from the inside out.
 *
 * Method      In each scope the sources of its FROM are asked, then, where the
 *             clause allows it, the aliases of its select list; the first
 *             scope that knows the name has it. Two sources of one scope that
 *             know it make it ambiguous, unless USING or NATURAL joined them.
 *             An unknown table may have any column: it gets the names that no
 *             scope knows.
 *
 * Dialects    SQLite sees aliases from WHERE on, and nothing outside the block
 *             from ORDER BY and GROUP BY; the others differ as the table
 *             `rules` says. SQLite, MySQL, BigQuery, T-SQL and DuckDB ignore
 *             case; PostgreSQL and Snowflake do for names without quotes.
 */
#include "schema/bind_internal.h"
#include "sql/print.h"

#include <assert.h>
#include <limits.h>

typedef struct name_rules {
    bool aliases[CLAUSES];  // may a name in this clause be an alias?
    bool is_closed;         // ORDER BY, GROUP BY see nothing outside
    bool is_case_fixed;     // of names in quotes
} name_rules;

static const name_rules rules[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = {.aliases = {[CLAUSE_FROM] = true,
                                    [CLAUSE_WHERE] = true,
                                    [CLAUSE_GROUP] = true,
                                    [CLAUSE_HAVING] = true,
                                    [CLAUSE_ORDER] = true},
                        .is_closed = true},
    [DIALECT_POSTGRES] = {.aliases = {[CLAUSE_GROUP] = true},
                          .is_case_fixed = true},
    [DIALECT_MYSQL] = {.aliases = {[CLAUSE_GROUP] = true,
                                   [CLAUSE_HAVING] = true,
                                   [CLAUSE_ORDER] = true}},
    [DIALECT_BIGQUERY] = {.aliases = {[CLAUSE_GROUP] = true,
                                      [CLAUSE_HAVING] = true,
                                      [CLAUSE_ORDER] = true}},
    [DIALECT_TSQL] = {.aliases = {[CLAUSE_ORDER] = true}},
    [DIALECT_SNOWFLAKE] = {.aliases = {[CLAUSE_ITEMS] = true,
                                       [CLAUSE_WHERE] = true,
                                       [CLAUSE_GROUP] = true,
                                       [CLAUSE_HAVING] = true,
                                       [CLAUSE_ORDER] = true},
                           .is_case_fixed = true},
    [DIALECT_DUCKDB] = {.aliases = {[CLAUSE_GROUP] = true}},
};

static bool is_folded(str stored, str name, dialect d)
{
    assert(stored.len == name.len);
    bool upper = d == DIALECT_SNOWFLAKE;
    for (ptrdiff_t i = 0; i < stored.len; i++) {
        char c = stored.ptr[i];
        if (name.ptr[i] != (upper ? to_upper(c) : to_lower(c))) {
            return false;
        }
    }
    return true;
}

bool bind_name_is(const binder *b, str stored, const ast *name)
{
    dialect d = b->b->dialect;
    if (stored.len != name->text.len || !str_equal_fold(stored, name->text)) {
        return false;
    }
    // What was created without quotes is stored folded, whatever the schema
    // that we read says.
    bool is_fixed = rules[d].is_case_fixed && name->form == QUOTE_DOUBLE;
    return !is_fixed || str_equal(stored, name->text)
           || is_folded(stored, name->text, d);
}

// SQLite calls an expression by its text: "count(*)".
static bool is_text_of(const binder *b, const ast *expr, str name)
{
    arena scratch = *b->scratch;
    arena work = arena_half(&scratch);
    return str_equal_fold(print_line(&scratch, expr, b->b->dialect, work),
                          name);
}

// The table whose index knows the columns of a source; NULL: none does.
static const schema_table *indexed(const binder *b, const bound_source *s)
{
    bool is_table =
        s->kind == SOURCE_TABLE && s->columns == b->tables[s->table];
    const schema_table *t = is_table ? &b->b->schema->tables[s->table] : NULL;
    return t && t->places ? t : NULL;
}

int32_t bind_find_column(const binder *b,
                         const bound_source *s,
                         const ast *name)
{
    str wanted = name->text;
    const schema_table *wide = wanted.len > 0 ? indexed(b, s) : NULL;
    if (wide) {
        int32_t c = schema_find_column(wide, wanted);
        return c >= 0 && bind_name_is(b, s->columns[c].name, name) ? c : -1;
    }
    char first = wanted.len > 0 ? to_lower(wanted.ptr[0]) : 0;
    for (ptrdiff_t i = 0; i < s->n_columns; i++) {
        const bound_column *c = &s->columns[i];
        if (c->name.len == wanted.len && c->name.len > 0
            && to_lower(c->name.ptr[0]) == first
            && bind_name_is(b, c->name, name)) {
            return (int32_t)i;
        }
        bool is_nameless = c->name.len == 0 && c->expr
                           && name->form != QUOTE_NONE
                           && b->b->dialect == DIALECT_SQLITE;
        if (is_nameless && is_text_of(b, c->expr, wanted)) {
            return (int32_t)i;
        }
    }
    return -1;
}

bool bind_is_whole_source(const binder *b,
                          const bind_scope *s,
                          const bound_source *source,
                          ptrdiff_t place,
                          const ast *qualifier)
{
    if (bind_name_is(b, source->name, qualifier)) {
        return true;
    }
    for (ptrdiff_t i = 0; i < s->groups.len; i++) {
        const bind_group *g = &s->groups.ptr[i];
        if (place >= g->from && place < g->to
            && bind_name_is(b, g->name, qualifier)) {
            return true;
        }
    }
    return false;
}

int32_t bind_find_output(const binder *b, const bind_scope *s, const ast *name)
{
    for (ptrdiff_t i = 0; s->is_alias && i < s->block.n_outputs; i++) {
        if (s->is_alias[i] && bind_name_is(b, s->block.outputs[i].name, name)) {
            return (int32_t)i;
        }
    }
    return -1;
}

// What the sources of one scope say to a name.
typedef struct hit {
    const bound_source *source;
    int32_t column;
    int n;
    bool is_merged;
    const bound_source *second;   // that makes it ambiguous
    const bound_source *unknown;  // might have it
    const bound_source *rowid;    // a table with rows numbered
    int n_rowids;
} hit;

// A further source has the column: does it take the place of the first?
static void meet(const bind_scope *s,
                 hit *h,
                 const bound_source *source,
                 int32_t column)
{
    const bound_merge *m = NULL;
    bool is_first = h->n == 0;
    bool is_merged = !is_first && bind_merged_away(s, source, column, &m);
    if (is_first || (is_merged && m->join->form == JOIN_FORM_RIGHT)) {
        *h = (hit){.source = source, .column = column, .n = 1};
    } else if (!is_merged) {
        h->second = source;
        h->n++;
    }
    h->is_merged |= is_merged && m->is_united;
}

static bool is_view(const binder *b, const bound_source *s)
{
    for (ptrdiff_t i = 0; b->views && i < b->b->schema->n_tables; i++) {
        if (s->query && b->views[i] == s->query) {
            return true;
        }
    }
    return false;
}

// Views and derived tables have one that is NULL, CTEs have none.
static bool has_rowid(const binder *b, const bound_source *s)
{
    if (s->kind == SOURCE_TABLE) {
        assert(s->table >= 0);
        return b->b->schema->tables[s->table].has_rowid;
    }
    return s->kind == SOURCE_QUERY
           && (s->node->kind != AST_TABLE || is_view(b, s));
}

bool bind_sees(const bind_scope *s, const bound_source *source)
{
    return !source->half_on || source->half_on == s->on;
}

static hit ask_sources(const binder *b,
                       const bind_scope *s,
                       const ast *qualifier,
                       const ast *name)
{
    hit h = {0};
    for (ptrdiff_t i = s->from; i < s->sources.len && i < s->to; i++) {
        const bound_source *source = s->sources.ptr[i];
        if (!bind_sees(s, source)
            || (qualifier
                && !bind_is_whole_source(b, s, source, i, qualifier))) {
            continue;
        }
        int32_t column = bind_find_column(b, source, name);
        if (column >= 0) {
            meet(s, &h, source, column);
            continue;
        }
        bool is_open = source->kind == SOURCE_UNKNOWN
                       || (source->query && source->query->is_open);
        h.unknown = is_open && !h.unknown ? source : h.unknown;
        if (h.n == 0 && has_rowid(b, source)) {
            h.rowid = source;
            h.n_rowids++;
        }
    }
    return h;
}

static bool is_rowid_name(str name)
{
    return str_among_fold(name, "rowid oid _rowid_");
}

static const schema_column *integer_key(const binder *b,
                                        const bound_source *s,
                                        int32_t *column)
{
    const schema_table *t =
        s->kind == SOURCE_TABLE ? &b->b->schema->tables[s->table] : NULL;
    for (ptrdiff_t i = 0; t && i < t->n_columns; i++) {
        if (t->columns[i].is_rowid) {
            *column = (int32_t)i;
            return &t->columns[i];
        }
    }
    return NULL;
}

static const bound_ref *set_ref(binder *b, const ast *n, bound_ref ref)
{
    assert(n->id > 0 && n->id < b->b->n_nodes);
    bound_ref *kept = arena_new(b->a, bound_ref, 1);
    *kept = ref;
    b->b->refs[n->id] = kept;
    return kept;
}

void bind_set_ref(binder *b, const ast *n, bound_ref ref)
{
    set_ref(b, n, ref);
}

// Notes who is correlated, and where an aggregate belongs.
static void note_use(binder *b, bind_scope *from, const bind_scope *to)
{
    assert(to);
    for (bind_scope *s = from; s && s != to; s = s->around) {
        s->block.is_correlated = true;
    }
    if (to->level <= b->call_level && to->level > b->call_deepest) {
        b->call_deepest = to->level;
    }
}

static bool ends_here(const binder *b, const bind_scope *s)
{
    bool is_key = s->clause == CLAUSE_ORDER || s->clause == CLAUSE_GROUP;
    return s->clause == CLAUSE_LIMIT
           || (is_key && rules[b->b->dialect].is_closed);
}

// Aliases in ORDER BY: PostgreSQL and T-SQL know them only as a whole key.
static bool knows_aliases(const binder *b, const bind_scope *s, const ast *n)
{
    assert(s->clause < CLAUSES);
    bool is_key = s->clause == CLAUSE_ORDER && n == s->key;
    return is_key || rules[b->b->dialect].aliases[s->clause];
}

typedef struct search {
    bind_scope *start;
    const ast *node;
    const ast *qualifier;  // NULL: none
    const bound_source *unknown;
    bind_scope *unknown_scope;
    int32_t unknown_depth;
    int n_rowids;  // tables with rows numbered, so far
} search;

static const bound_ref *take(binder *b,
                             search *q,
                             const bind_scope *s,
                             bound_ref ref)
{
    note_use(b, q->start, s);
    return set_ref(b, q->node, ref);
}

static const bound_ref *take_hit(binder *b,
                                 search *q,
                                 bind_scope *s,
                                 const hit *h,
                                 int32_t depth)
{
    assert(h->n > 0 && h->source);
    bound_ref ref = {.kind = REF_COLUMN,
                     .source = h->source,
                     .column = h->column,
                     .depth = depth,
                     .is_merged = h->is_merged};
    if (h->n > 1) {
        bind_is_ambiguous(b, q->node, h->source, h->second);
    }
    return take(b, q, s, ref);
}

static const bound_ref *take_rowid(binder *b,
                                   search *q,
                                   bind_scope *s,
                                   const hit *h,
                                   int32_t depth)
{
    assert(h->rowid);
    int32_t column = -1;
    bool is_key = integer_key(b, h->rowid, &column) != NULL;
    return take(b, q, s,
                (bound_ref){.kind = is_key ? REF_COLUMN : REF_ROWID,
                            .source = h->rowid,
                            .column = column,
                            .depth = depth});
}

// One scope: its sources, its row numbers, its aliases.
static const bound_ref *search_scope(binder *b,
                                     search *q,
                                     bind_scope *s,
                                     int32_t depth)
{
    if (s->clause == CLAUSE_LIMIT) {
        return NULL;
    }
    hit h = ask_sources(b, s, q->qualifier, q->node);
    if (h.n > 0) {
        return take_hit(b, q, s, &h, depth);
    }
    q->n_rowids += h.n_rowids;  // SQLite counts them through all scopes
    bool is_rowid = bind_is_sqlite(b) && h.n_rowids == 1 && q->n_rowids == 1
                    && is_rowid_name(q->node->text);
    if (is_rowid) {
        return take_rowid(b, q, s, &h, depth);
    }
    if (!q->qualifier && knows_aliases(b, s, q->node)) {
        int32_t output = bind_find_output(b, s, q->node);
        if (output >= 0) {
            return take(b, q, s,
                        (bound_ref){.kind = REF_OUTPUT,
                                    .output = output,
                                    .of = &s->block,
                                    .depth = depth});
        }
    }
    if (h.unknown && !q->unknown) {
        q->unknown = h.unknown;
        q->unknown_scope = s;
        q->unknown_depth = depth;
    }
    return NULL;
}

static const bound_ref *search_all(binder *b, search *q)
{
    int32_t depth = 0;
    for (bind_scope *s = q->start; s; s = s->outer, depth++) {
        const bound_ref *ref = search_scope(b, q, s, depth);
        if (ref) {
            return ref;
        }
        if (ends_here(b, s)) {
            break;
        }
    }
    return NULL;
}

// A name that is a whole row (the name of a source), a field of a column
// (a.b.c), or a word of a function (DATE_TRUNC(month, x)): not in SQLite.
static const bound_ref *search_otherwise(binder *b, search *q)
{
    const ast *first = q->node->kid[COLUMN_PATH];
    int32_t depth = 0;
    for (bind_scope *s = q->start; s; s = s->outer, depth++) {
        for (ptrdiff_t i = s->from; i < s->sources.len && i < s->to; i++) {
            const bound_source *source = s->sources.ptr[i];
            const ast *name = first ? first : q->node;
            if (bind_name_is(b, source->name, name)) {
                return take(b, q, s,
                            (bound_ref){.kind = REF_COLUMN,
                                        .source = source,
                                        .column = -1,
                                        .depth = depth});
            }
            int32_t column = first ? bind_find_column(b, source, first) : -1;
            if (column >= 0) {
                return take(b, q, s,
                            (bound_ref){.kind = REF_COLUMN,
                                        .source = source,
                                        .column = column,
                                        .depth = depth});
            }
        }
    }
    return NULL;
}

static bool is_own_database(str name)
{
    return str_among_fold(name, "main temp");
}

// The last name before the dots; NULL when there is none. *is_strange: the
// names before it are none of this database.
static const ast *qualifier_of(const binder *b, const ast *n, bool *is_strange)
{
    const ast *path = n->kind == AST_COLUMN ? n->kid[COLUMN_PATH] : NULL;
    *is_strange = path && path->next && bind_is_sqlite(b)
                  && (path->next->next || !is_own_database(path->text));
    return ast_last(path);
}

static bool is_unit_word(const binder *b, const ast *n)
{
    return b->in_call && !bind_is_sqlite(b)
           && str_among_fold(
               n->text, "year quarter month week day dayofweek hour minute "
                        "second isoweek dayofyear millisecond dd mm yy yyyy "
                        "isoyear microsecond dow doy isodow");
}

const bound_ref *bind_column(binder *b, bind_scope *s, const ast *n)
{
    assert(n->kind == AST_COLUMN || n->kind == AST_DOUBT);
    bool is_strange;
    search q = {.start = s, .node = n};
    q.qualifier = qualifier_of(b, n, &is_strange);
    const bound_ref *ref = is_strange ? NULL : search_all(b, &q);
    if (ref) {
        return ref;
    }
    if (n->kind == AST_DOUBT) {
        return set_ref(b, n, (bound_ref){.kind = REF_STRING});
    }
    if (q.unknown) {
        return take(b, &q, q.unknown_scope,
                    (bound_ref){.kind = REF_COLUMN,
                                .source = q.unknown,
                                .column = -1,
                                .depth = q.unknown_depth});
    }
    ref = bind_is_sqlite(b) ? NULL : search_otherwise(b, &q);
    if (ref || is_unit_word(b, n)) {
        return ref;
    }
    bind_no_column(b, s, n);
    return set_ref(b, n, (bound_ref){.kind = REF_NONE});
}
