/*
 * schema.c - look-ups in a schema, and what declared types and keys mean.
 *
 * Method      Affinity follows SQLite's rule: the first of a few letter groups
 *             that the type contains. The kind goes by the first word of the
 *             type (schema_type.def), else by the affinity. Foreign keys are
 *             resolved last, when all tables are known; a key is sound when its
 *             targets are exactly the columns of one key of the parent.
 *
 * Cost        Look-ups by name are linear in the tables, and in the columns of
 *             a small table; a wide one has an index, made with the schema.
 */
#include "base/places.h"
#include "base/words.h"
#include "schema/schema_build.h"

#include <assert.h>

enum {
    MANY = 32  // names: from so many on, an index is quicker
};

int32_t schema_find_table(const schema *s, str name)
{
    if (s->places && map_count(s->places) == s->n_tables) {
        return (int32_t)map_find(s->places, name);
    }
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        if (str_equal_fold(s->tables[t].name, name)) {
            return (int32_t)t;
        }
    }
    return -1;
}

int32_t schema_find_qualified(const schema *s, str first, str second)
{
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        str rest = s->tables[t].name;
        if (str_equal_fold(str_cut(&rest, '.'), first)
            && str_equal_fold(rest, second)) {
            return (int32_t)t;
        }
    }
    return -1;
}

void schema_index(schema_table *t, arena *a)
{
    if (t->n_columns < MANY) {
        return;
    }
    map *places = arena_new(a, map, 1);
    places->ignores_case = true;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        // Where two columns differ in case only, the binder may want either.
        if (map_add(places, a, t->columns[c].name) != c) {
            return;
        }
    }
    t->places = places;
}

void schema_index_tables(schema *s, arena *a)
{
    if (s->n_tables < MANY) {
        return;
    }
    map *places = arena_new(a, map, 1);
    places->ignores_case = true;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        map_add(places, a, s->tables[t].name);
    }
    s->places = places;
}

int32_t schema_find_column(const schema_table *t, str name)
{
    if (t->places) {
        return (int32_t)map_find(t->places, name);
    }
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        if (str_equal_fold(t->columns[c].name, name)) {
            return (int32_t)c;
        }
    }
    return -1;
}

int32_t schema_column_named(const schema_table *t, const ast *n)
{
    bool is_name = n->kind == AST_COLUMN || n->kind == AST_DOUBT;
    return is_name ? schema_find_column(t, n->text) : -1;
}

const schema_unique *schema_primary(const schema_table *t)
{
    return t->n_uniques > 0 && t->uniques[0].is_primary ? &t->uniques[0] : NULL;
}

const schema_unique *schema_find_unique(const schema_table *t,
                                        const int32_t *columns,
                                        ptrdiff_t n)
{
    const schema_unique *found = NULL;
    for (ptrdiff_t u = 0; u < t->n_uniques && !found; u++) {
        bool is_it = t->uniques[u].n == n;
        for (ptrdiff_t i = 0; i < n && is_it; i++) {
            is_it = places_have(t->uniques[u].columns, n, columns[i]);
        }
        found = is_it ? &t->uniques[u] : NULL;
    }
    return found;
}

int schema_references(const schema *s, int32_t child, int32_t parent)
{
    int n = 0;
    for (ptrdiff_t i = 0; i < s->n_keys; i++) {
        n += s->keys[i].child == child && s->keys[i].parent == parent;
    }
    return n;
}

bool schema_is_key(const schema_table *t, int32_t column)
{
    return schema_find_unique(t, &column, 1) != NULL;
}

bool schema_is_reference(const schema *s, int32_t table, int32_t column)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < s->n_keys && !found; i++) {
        const schema_key *k = &s->keys[i];
        found = k->child == table && k->n == 1 && k->columns[0] == column;
    }
    return found;
}

bool schema_key_is_complete(const schema_key *k)
{
    bool ok = k->n > 0 && k->parent >= 0;
    for (ptrdiff_t i = 0; ok && i < k->n; i++) {
        ok = k->columns[i] >= 0 && k->targets[i] >= 0;
    }
    return ok;
}

bool schema_never_null(const schema_table *t, int32_t column)
{
    assert(column >= 0 && column < t->n_columns);
    const schema_unique *primary = schema_primary(t);
    return t->columns[column].is_not_null
           || (primary && places_have(primary->columns, primary->n, column));
}

// In SQLite's order: CHARINT is an integer.
static const struct {
    str word;
    schema_affinity affinity;
} affinity_words[] = {
    {S_INIT("int"), AFFINITY_INTEGER}, {S_INIT("char"), AFFINITY_TEXT},
    {S_INIT("clob"), AFFINITY_TEXT},   {S_INIT("text"), AFFINITY_TEXT},
    {S_INIT("blob"), AFFINITY_BLOB},   {S_INIT("real"), AFFINITY_REAL},
    {S_INIT("floa"), AFFINITY_REAL},   {S_INIT("doub"), AFFINITY_REAL},
};

schema_affinity schema_affinity_of(str type)
{
    if (str_trim(type).len == 0) {
        return AFFINITY_BLOB;
    }
    for (ptrdiff_t i = 0; i < countof(affinity_words); i++) {
        if (str_find_fold(type, affinity_words[i].word, 0) >= 0) {
            return affinity_words[i].affinity;
        }
    }
    return AFFINITY_NUMERIC;
}

static const struct {
    schema_kind kind;
    str word;
} type_words[] = {
#define TYPE_WORD(kind, word) {KIND_##kind, S_INIT(word)},
#include "schema/schema_type.def"
};

static str first_word(str type)
{
    type = str_trim(type);
    ptrdiff_t n = 0;
    while (n < type.len && (is_alpha(type.ptr[n]) || type.ptr[n] == '_')) {
        n++;
    }
    return str_sub(type, 0, n);
}

bool schema_type_is_known(str type)
{
    str word = first_word(type);
    str rest = str_skip(str_trim(type), word.len);
    while (rest.len > 0 && is_digit(rest.ptr[0])) {
        rest = str_skip(rest, 1);
    }
    bool is_whole = rest.len == 0 || !is_alpha(rest.ptr[0]);  // no int4range
    return is_whole && words_at_fold(type_words, word, word) >= 0;
}

bool schema_type_is_array(str type)
{
    return str_ends(type, S("]"))
           || (type.len > 6
               && str_equal_fold(str_skip(type, type.len - 6), S(" array")));
}

schema_kind schema_kind_of(str type)
{
    str word = first_word(type);
    ptrdiff_t i = words_at_fold(type_words, word, word);
    if (i >= 0) {
        return type_words[i].kind;
    }
    // What stands in ARRAY<int>, STRUCT(a int) is another type.
    ptrdiff_t end = 0;
    while (end < type.len && type.ptr[end] != '<' && type.ptr[end] != '(') {
        end++;
    }
    switch (schema_affinity_of(str_sub(type, 0, end))) {
    case AFFINITY_TEXT: return KIND_TEXT;
    case AFFINITY_INTEGER: return KIND_INTEGER;
    case AFFINITY_REAL: return KIND_REAL;
    case AFFINITY_BLOB: return word.len > 0 ? KIND_BYTES : KIND_ANY;
    case AFFINITY_NUMERIC: break;
    }
    return KIND_ANY;
}

bool schema_kind_is_number(schema_kind kind)
{
    return kind == KIND_INTEGER || kind == KIND_REAL || kind == KIND_DECIMAL;
}

bool schema_affinity_is_number(schema_affinity a)
{
    return a == AFFINITY_INTEGER || a == AFFINITY_NUMERIC || a == AFFINITY_REAL;
}

schema_collation schema_unique_collation(const schema_table *t,
                                         const schema_unique *key,
                                         ptrdiff_t at)
{
    assert(at >= 0 && at < key->n);
    return key->collations ? key->collations[at]
                           : t->columns[key->columns[at]].collation;
}

schema_collation schema_collation_of(str name)
{
    return str_equal_fold(name, S("binary"))   ? COLLATION_BINARY
           : str_equal_fold(name, S("nocase")) ? COLLATION_NOCASE
           : str_equal_fold(name, S("rtrim"))  ? COLLATION_RTRIM
                                               : COLLATION_OTHER;
}

schema_column schema_column_of(str name, str type)
{
    return (schema_column){
        .name = name,
        .type = type,
        .affinity = schema_affinity_of(type),
        .kind = schema_kind_of(type),
    };
}

// Other systems go by what a type means, SQLite by the letters of its name.
static schema_affinity affinity_of_kind(schema_kind kind, str type)
{
    switch (kind) {
    case KIND_INTEGER: return AFFINITY_INTEGER;
    case KIND_REAL: return AFFINITY_REAL;
    case KIND_TEXT: return AFFINITY_TEXT;
    case KIND_BYTES: return AFFINITY_BLOB;
    case KIND_DECIMAL:
    case KIND_DATE:
    case KIND_TIME:
    case KIND_TIMESTAMP:
    case KIND_BOOLEAN: return AFFINITY_NUMERIC;
    case KIND_ANY: break;
    }
    return type.len > 0 ? AFFINITY_TEXT : AFFINITY_BLOB;
}

// BIT is SQL Server's truth value, a string of bits in PostgreSQL and DuckDB, a
// number elsewhere.
static schema_kind kind_of_bits(schema_kind kind, dialect d)
{
    return d == DIALECT_TSQL             ? KIND_BOOLEAN
           : dialect_follows_postgres(d) ? KIND_ANY
                                         : kind;
}

schema_column schema_column_in(str name, str type, dialect d)
{
    assert(d < DIALECT_COUNT);
    schema_column c = schema_column_of(name, type);
    if (d != DIALECT_SQLITE) {
        // An array is not what its elements are, int4range is no INT.
        c.kind = schema_type_is_array(type)   ? KIND_TEXT
                 : schema_type_is_known(type) ? c.kind
                                              : KIND_ANY;
        c.kind = str_equal_fold(first_word(type), S("bit"))
                     ? kind_of_bits(c.kind, d)
                     : c.kind;
        c.affinity = affinity_of_kind(c.kind, c.type);
        c.is_not_null =
            str_among_fold(first_word(type), "serial bigserial smallserial");
    }
    return c;
}

bool schema_is_rowid_key(const schema_table *t, const schema_unique *key)
{
    assert(key->n > 0);
    return t->has_rowid && key->is_primary && key->n == 1
           && str_equal_fold(t->columns[key->columns[0]].type, S("integer"));
}

// Are the targets the columns of one key, in any order?
static bool is_unique(const schema_table *t, const schema_key *k)
{
    assert(k->n > 0 && k->targets);
    for (ptrdiff_t u = 0; u < t->n_uniques; u++) {
        const schema_unique *unique = &t->uniques[u];
        bool same = unique->n == k->n;
        for (ptrdiff_t i = 0; same && i < k->n; i++) {
            int32_t column = unique->columns[i];
            same = places_have(unique->columns, unique->n, k->targets[i])
                   && places_have(k->targets, k->n, column)
                   && schema_unique_collation(t, unique, i)
                          == t->columns[column].collation;
        }
        if (same) {
            return true;
        }
    }
    return false;
}

// An order as it is made.
typedef struct ordering {
    const schema *s;
    table_order o;
    int32_t *first;      // by table, a sound key of it to another one; -1: none
    int32_t *next;       // by key, the next one of its table
    bool *has_no_cycle;  // by table: none leads back to it
} ordering;

static ordering begin_order(arena *a, const schema *s)
{
    ordering w = {.s = s,
                  .o = {.tables = arena_new(a, int32_t, s->n_tables),
                        .places = arena_new(a, int32_t, s->n_tables)},
                  .first = arena_new(a, int32_t, s->n_tables),
                  .next = arena_new(a, int32_t, s->n_keys),
                  .has_no_cycle = arena_new(a, bool, s->n_tables)};
    for (int32_t t = 0; t < s->n_tables; t++) {
        w.o.places[t] = INT32_MAX;
        w.first[t] = -1;
    }
    for (int32_t i = 0; i < s->n_keys; i++) {
        const schema_key *k = &s->keys[i];
        if (k->is_sound && k->parent != k->child) {
            w.next[i] = w.first[k->child];
            w.first[k->child] = i;
        }
    }
    return w;
}

static bool is_open(const ordering *w, int32_t t)
{
    return !w->s->tables[t].view && w->o.places[t] == INT32_MAX;
}

static bool has_parents(const ordering *w, int32_t t)
{
    bool has_all = true;
    for (int32_t i = w->first[t]; has_all && i >= 0; i = w->next[i]) {
        has_all = !is_open(w, w->s->keys[i].parent);
    }
    return has_all;
}

// Do the keys that wait lead from the table back to it?
static bool is_in_cycle(const ordering *w, int32_t t, arena scratch)
{
    bool *above = arena_new(&scratch, bool, w->s->n_tables);
    int32_t *stack = arena_new(&scratch, int32_t, w->s->n_tables + 1);
    ptrdiff_t n = 1;
    stack[0] = t;
    while (n > 0 && !above[t]) {
        for (int32_t i = w->first[stack[--n]]; i >= 0; i = w->next[i]) {
            int32_t parent = w->s->keys[i].parent;
            if (is_open(w, parent) && !above[parent]) {
                above[parent] = true;
                stack[n++] = parent;
            }
        }
    }
    return above[t];
}

static void put_next(table_order *o, int32_t t)
{
    o->places[t] = (int32_t)o->n;
    o->tables[o->n++] = t;
}

// All that wait for none but tables that are in the order. Are there any?
static bool put_ready(ordering *w)
{
    ptrdiff_t before = w->o.n;
    for (int32_t t = 0; t < w->s->n_tables; t++) {
        if (is_open(w, t) && has_parents(w, t)) {
            put_next(&w->o, t);
        }
    }
    return w->o.n > before;
}

// Where a cycle is cut hangs on the tables that it leads to, and no others: it
// is the same in a part of the schema. A cut makes no cycles.
static bool cut_cycle(ordering *w, arena scratch)
{
    for (int32_t t = 0; t < w->s->n_tables; t++) {
        if (is_open(w, t) && !w->has_no_cycle[t]) {
            if (is_in_cycle(w, t, scratch)) {
                put_next(&w->o, t);
                return true;
            }
            w->has_no_cycle[t] = true;
        }
    }
    return false;
}

table_order schema_order(arena *a, const schema *s)
{
    ordering w = begin_order(a, s);
    while (put_ready(&w) || cut_cycle(&w, *a)) {
    }
    return w.o;
}

bool schema_key_is_late(const table_order *o, const schema_key *k)
{
    return k->is_sound && o->places[k->parent] > o->places[k->child];
}

static schema_key make_key(const schema *s, arena *a, const key_draft *draft)
{
    assert(draft->child >= 0 && draft->child < s->n_tables);
    assert(draft->n > 0 && draft->columns);
    int32_t *targets = arena_new(a, int32_t, draft->n);
    schema_key k = {
        .child = draft->child,
        .parent = schema_find_table(s, draft->parent),
        .columns = draft->columns,
        .targets = targets,
        .n = draft->n,
        .parent_name = draft->parent,
        .is_unenforced = draft->is_unenforced,
    };
    const schema_table *parent = k.parent >= 0 ? &s->tables[k.parent] : NULL;
    const schema_unique *primary = parent ? schema_primary(parent) : NULL;
    bool fits = !draft->targets && primary && primary->n == draft->n;
    for (ptrdiff_t i = 0; i < k.n; i++) {
        targets[i] = parent && draft->targets
                         ? schema_find_column(parent, draft->targets[i])
                     : fits ? primary->columns[i]
                            : -1;
    }
    k.is_sound = parent && !k.is_unenforced && !parent->view
                 && !places_have(targets, k.n, -1) && is_unique(parent, &k);
    return k;
}

void schema_set_keys(schema *s, arena *a, const key_draft *drafts, ptrdiff_t n)
{
    assert(n == 0 || drafts);
    schema_index_tables(s, a);
    schema_key *keys = arena_new(a, schema_key, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        keys[i] = make_key(s, a, &drafts[i]);
    }
    s->keys = keys;
    s->n_keys = n;
}
