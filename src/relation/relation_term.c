/*
 * relation_term.c - see relation_term.h.
 *
 * Method      One open-addressing table of all terms of a prover, by a hash of
 *             the content. Children come before parents, so equal children are
 *             already one pointer and comparing is shallow.
 */
#include "relation/relation_term.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

void *prover_stop(prover *p, str obstacle)
{
    assert(obstacle.len > 0);  // an empty one would stop nothing
    if (p->obstacle.len == 0) {
        p->obstacle = obstacle;
    }
    return NULL;
}

bool prover_stopped(const prover *p)
{
    return p->obstacle.len > 0;
}

bool prover_may_not(const prover *p, str rule)
{
    return str_equal(rule, p->without)
           || (p->unsafe && str_among(rule, p->unsafe));
}

bool prover_is_typed(const prover *p)
{
    return dialect_follows_postgres(p->bound->dialect);
}

bool sort_puts_nulls_last(const prover *p, bool is_descending)
{
    return p->bound->dialect == DIALECT_DUCKDB
           || is_descending != prover_is_typed(p);
}

bool prover_assumes(prover *p, unsigned bits)
{
    if ((p->assume & bits) != bits) {
        return false;
    }
    p->touched |= bits;
    return true;
}

bool prover_assumes_type(prover *p, const schema_column *c)
{
    return !c->is_off_type && prover_assumes(p, ASSUME_TYPES);
}

bool prover_takes_types(prover *p, unsigned touched)
{
    p->wants_types |= !p->uses_types;
    p->touched = p->uses_types ? p->touched : touched;
    return p->uses_types;
}

enum {
    FIRST_SLOTS = 256
};

static uint64_t content_hash(const term *t)
{
    uint64_t h = hash_mix(t->kind, (uint64_t)t->flag);
    h = hash_mix(h, (uint64_t)(int64_t)t->column);
    h = hash_mix(h, (uint64_t)t->number);
    h = hash_mix(h, t->text.len > 0 ? hash64(t->text) : 0);
    h = hash_mix(h, t->source ? (uint64_t)t->source->no + 1 : 0);
    h = hash_mix(h, t->block ? (uint64_t)t->block->no + 1 : 0);
    for (int32_t i = 0; i < t->n; i++) {
        h = hash_mix(h, t->args[i]->hash);
    }
    return h;
}

static bool same_content(const term *a, const term *b)
{
    if (a->hash != b->hash || a->kind != b->kind || a->flag != b->flag
        || a->column != b->column || a->n != b->n || a->number != b->number
        || a->source != b->source || a->block != b->block
        || !str_equal(a->text, b->text)) {
        return false;
    }
    for (int32_t i = 0; i < a->n; i++) {
        if (a->args[i] != b->args[i]) {
            return false;
        }
    }
    return true;
}

static ptrdiff_t find_slot(const prover *p, const term *t)
{
    assert((p->n_slots & (p->n_slots - 1))
           == 0);  // so that a mask wraps around
    ptrdiff_t at = (ptrdiff_t)(t->hash & (uint64_t)(p->n_slots - 1));
    assert(p->n_terms < p->n_slots);  // a free slot ends every search
    while (p->slots[at] && !same_content(p->slots[at], t)) {
        at = (at + 1) & (p->n_slots - 1);
    }
    return at;
}

static void grow(prover *p)
{
    const term **old = p->slots;
    ptrdiff_t n = p->n_slots;
    p->n_slots = n == 0 ? FIRST_SLOTS : n * 2;
    p->slots = arena_new(p->a, const term *, p->n_slots);
    for (ptrdiff_t i = 0; i < n; i++) {
        if (old[i]) {
            p->slots[find_slot(p, old[i])] = old[i];
        }
    }
}

static uint16_t own_has(const term *t)
{
    switch (t->kind) {
    case TERM_COLUMN: return HAS_COLUMN;
    case TERM_OUTPUT: return HAS_OUTPUT;
    case TERM_AGGREGATE: return HAS_AGGREGATE;
    case TERM_WINDOW: return HAS_WINDOW;
    case TERM_IN:
    case TERM_EXISTS:
    case TERM_SCALAR: return HAS_BLOCK;
    default: return 0;
    }
}

// Does it have the parts that its kind asks for?
__attribute__((unused)) static bool term_is_sound(const term *t)
{
    bool is_test = t->kind == TERM_EXISTS || t->kind == TERM_SCALAR;
    bool has_body = is_test || t->kind == TERM_IN;
    // So what has a source is a column, and what has a number is one.
    if (!t->block == has_body || !t->source == (t->kind == TERM_COLUMN)
        || (t->number && t->kind != TERM_INTEGER)) {
        return false;
    }
    switch ((int)t->kind) {
    case TERM_NULL:
    case TERM_INTEGER:
    case TERM_TEXT:
    case TERM_EXISTS:
    case TERM_SCALAR: return t->n == 0;
    case TERM_REAL: return t->n == 0 && t->text.len > 0;
    case TERM_COLUMN: return t->source && t->column >= -1;
    case TERM_OUTPUT: return t->column >= 0;
    case TERM_EQUAL:
    case TERM_UNEQUAL:
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_IS:
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
    case TERM_CONCAT: return t->n == 2;
    case TERM_NOT:
    case TERM_NEGATE:
    case TERM_AS:
    case TERM_CAST:
    case TERM_IN: return t->n == 1;
    case TERM_AND:
    case TERM_OR:
    case TERM_IN_LIST: return t->n >= 1;
    case TERM_CASE: return t->n >= 2;
    case TERM_WINDOW: return t->n == 3;
    default: return t->n >= 0;
    }
}

const term *term_make(prover *p, term like)
{
    if (2 * (ptrdiff_t)p->n_terms >= p->n_slots) {
        grow(p);
    }
    assert(term_is_sound(&like));
    like.hash = content_hash(&like);
    ptrdiff_t at = find_slot(p, &like);
    if (p->slots[at]) {
        return p->slots[at];
    }
    like.has = own_has(&like);
    like.height = 1;
    const term **args = arena_new(p->a, const term *, like.n);
    for (int32_t i = 0; i < like.n; i++) {
        args[i] = like.args[i];
        like.has |= args[i]->has;
        if (args[i]->height >= like.height) {
            like.height = (int16_t)(args[i]->height + 1);
        }
    }
    if (like.height > HEIGHT_MAX) {
        prover_stop(p, S("an expression that is nested too deeply"));
        like.height = HEIGHT_MAX;
    }
    like.args = args;
    like.no = p->n_terms++;
    term *made = arena_new(p->a, term, 1);
    *made = like;
    p->slots[at] = made;
    return made;
}

const term *term_integer(prover *p, int64_t n)
{
    return term_make(p, (term){.kind = TERM_INTEGER, .number = n});
}

const term *term_boolean(prover *p, bool is_true)
{
    return term_make(p, (term){.kind = TERM_INTEGER,
                               .number = is_true,
                               .flag = prover_is_typed(p)});
}

const term *term_text(prover *p, str text)
{
    return term_make(p, (term){.kind = TERM_TEXT, .text = text});
}

const term *term_real(prover *p, double d)
{
    buf text = buf_new(p->a);
    buf_double(&text, d);
    return term_make(p, (term){.kind = TERM_REAL, .text = buf_str(&text)});
}

const term *term_null(prover *p)
{
    return term_make(p, (term){.kind = TERM_NULL});
}

const term *term_column(prover *p, instance *source, int32_t column)
{
    return term_make(
        p, (term){.kind = TERM_COLUMN, .source = source, .column = column});
}

const term *term_rowid(prover *p, instance *source)
{
    assert(source->columns_of);  // blocks have no rowid
    const schema_table *t = source->columns_of;
    for (ptrdiff_t i = 0; i < t->n_columns; i++) {
        if (t->columns[i].is_rowid) {
            return term_column(p, source, (int32_t)i);
        }
    }
    return term_column(p, source, -1);
}

const term *term_of(prover *p, term_kind kind, const term *a, const term *b)
{
    const term *args[] = {a, b};
    return term_make(
        p, (term){.kind = (uint8_t)kind, .n = b ? 2 : 1, .args = args});
}

bool term_is_literal(const term *t)
{
    return t->kind == TERM_INTEGER || t->kind == TERM_REAL
           || t->kind == TERM_TEXT;
}

bool term_is_number(const term *t, int64_t n)
{
    return t->kind == TERM_INTEGER && t->number == n;
}

static const struct {
    uint8_t turned;
    uint8_t denied;
} comparisons[] = {
    [TERM_EQUAL] = {TERM_EQUAL, TERM_UNEQUAL},
    [TERM_UNEQUAL] = {TERM_UNEQUAL, TERM_EQUAL},
    [TERM_LESS] = {TERM_GREATER, TERM_GREATER_EQUAL},
    [TERM_LESS_EQUAL] = {TERM_GREATER_EQUAL, TERM_GREATER},
    [TERM_GREATER] = {TERM_LESS, TERM_LESS_EQUAL},
    [TERM_GREATER_EQUAL] = {TERM_LESS_EQUAL, TERM_LESS},
};

bool term_counts(const term *t)
{
    return t->kind == TERM_AGGREGATE && str_equal(t->text, S("count"));
}

bool term_compares(const term *t)
{
    return t->kind < countof(comparisons) && comparisons[t->kind].turned;
}

term_kind term_turned(term_kind comparison)
{
    assert(comparison < countof(comparisons));
    return (term_kind)comparisons[comparison].turned;
}

term_kind term_denied(term_kind comparison)
{
    assert(comparison < countof(comparisons));
    return (term_kind)comparisons[comparison].denied;
}

bool term_is_truth(const term *t)
{
    if (term_compares(t)) {
        return true;
    }
    switch (t->kind) {
    case TERM_IS:
    case TERM_AND:
    case TERM_OR:
    case TERM_NOT:
    case TERM_IN_LIST:
    case TERM_IN:
    case TERM_EXISTS: return true;
    case TERM_INTEGER: return t->number == 0 || t->number == 1;
    case TERM_CALL: return str_among(t->text, "like glob");
    default: return false;
    }
}

const term *term_tested_null(const term *t)
{
    bool tests = t->kind == TERM_IS && t->args[1]->kind == TERM_NULL;
    return tests ? t->args[0] : NULL;
}

const term *term_tested_not_null(const term *t)
{
    return t->kind == TERM_NOT ? term_tested_null(t->args[0]) : NULL;
}

static const schema_column *table_column(const term *t)
{
    const schema_table *table = t->source->columns_of;
    assert(!table || t->column < table->n_columns);
    return table && t->column >= 0 ? &table->columns[t->column] : NULL;
}

static term_type type_of_column(const term *t)
{
    if (t->source->body) {
        return term_type_of_output(t->source->body, t->column);
    }
    const schema_column *c = table_column(t);
    if (!c || c->is_rowid) {
        return (term_type){.has_affinity = true, .affinity = AFFINITY_INTEGER};
    }
    return (term_type){
        .has_affinity = true,
        .affinity = c->affinity,
        .has_collation = true,
        .collation = c->collation,
    };
}

term_type term_type_of_output(const block *b, int32_t column)
{
    if (!b->set) {
        assert(column >= 0 && column < b->select.len);
        term_type type = term_type_of(b->select.ptr[column]);
        type.has_collation = true;
        return type;
    }
    term_type left = term_type_of_output(b->left, column);
    term_type right = term_type_of_output(b->right, column);
    bool same = left.affinity == right.affinity
                && left.has_affinity == right.has_affinity;
    bool same_order = left.collation == right.collation;
    return (term_type){
        .has_affinity = same && left.has_affinity,
        .affinity = same ? left.affinity : AFFINITY_BLOB,
        .has_collation = true,
        .collation = same_order ? left.collation : COLLATION_OTHER,
        .is_unlike = !same || !same_order || left.is_unlike || right.is_unlike,
    };
}

// The type of an AS in its `column`.
static int32_t pack_type(term_type t)
{
    assert((int)t.affinity < 16);  // it has four bits
    return (int32_t)(t.has_affinity | t.has_collation << 1 | t.is_unlike << 2
                     | (int)t.affinity << 4 | (int)t.collation << 8);
}

static term_type unpack_type(int32_t bits)
{
    assert(bits >= 0);  // as pack_type() makes them
    return (term_type){
        .has_affinity = bits & 1,
        .has_collation = bits & 2,
        .is_unlike = bits & 4,
        .affinity = (schema_affinity)(bits >> 4 & 15),
        .collation = (schema_collation)(bits >> 8),
    };
}

term_type term_type_of(const term *t)
{
    switch (t->kind) {
    case TERM_COLUMN: return type_of_column(t);
    case TERM_AS: return unpack_type(t->column);
    case TERM_CAST: {
        term_type type = term_type_of(t->args[0]);
        type.has_affinity = true;
        type.affinity = (schema_affinity)t->column;
        return type;
    }
    case TERM_SCALAR: {
        term_type type = term_type_of_output(t->block, 0);
        type.has_collation = false;
        type.collation = COLLATION_BINARY;
        return type;
    }
    default: return (term_type){0};
    }
}

bool term_types_equal(term_type a, term_type b)
{
    return pack_type(a) == pack_type(b);
}

schema_affinity term_affinity(const term *t)
{
    return term_type_of(t).affinity;
}

const schema_column *term_declared(const term *t)
{
    bool is_declared =
        t->kind == TERM_COLUMN && t->source->columns_of && t->column >= 0;
    return is_declared ? &t->source->columns_of->columns[t->column] : NULL;
}

const schema_column *term_stored(const term *t)
{
    while (t->kind == TERM_AS || (t->kind == TERM_COLUMN && t->source->body)
           || (t->kind == TERM_AGGREGATE && t->n == 1
               && str_among(t->text, "min max"))) {
        if (t->kind != TERM_COLUMN) {
            t = t->args[0];
        } else if (t->source->body->set) {
            return NULL;
        } else {
            t = t->source->body->select.ptr[t->column];
        }
    }
    return term_declared(t);
}

bool term_collation(const term *t, schema_collation *out)
{
    term_type type = term_type_of(t);
    if (type.has_collation) {
        *out = type.collation;
    }
    return type.has_collation;
}

const term *term_bare(const term *t)
{
    return t->kind == TERM_AS ? t->args[0] : t;
}

const term *term_as(prover *p, const term *t, term_type type)
{
    t = term_bare(t);
    if (term_types_equal(term_type_of(t), type)) {
        return t;
    }
    return term_make(p, (term){
                            .kind = TERM_AS,
                            .column = pack_type(type),
                            .n = 1,
                            .args = &t,
                        });
}

const term *term_untyped(prover *p, const term *t)
{
    return term_as(p, t, (term_type){0});
}

const term *term_key(prover *p, const term *t)
{
    term_type type = term_type_of(t);
    term_type bare = term_type_of(term_bare(t));
    if (t->kind != TERM_AS || type.collation == bare.collation) {
        return term_bare(t);
    }
    return term_as(p, t,
                   (term_type){
                       .has_collation = true,
                       .collation = type.collation,
                   });
}

const term *term_item(prover *p, const term *t)
{
    term_type type = term_type_of(t);
    term_type bare = term_type_of(term_bare(t));
    type.has_collation = true;
    bare.has_collation = true;
    return t->kind != TERM_AS             ? t
           : term_types_equal(type, bare) ? term_bare(t)
                                          : term_as(p, t, type);
}

bool term_is_binary(const term *t)
{
    schema_collation c;
    return !term_collation(t, &c) || c == COLLATION_BINARY;
}

bool term_in_is_equal(const term *x, const term *y)
{
    schema_collation c;
    return term_collation(x, &c) || term_is_binary(y);
}

bool term_is_test(const term *t, int32_t i)
{
    return t->kind == TERM_CASE && i % 2 == 0 && i + 1 < t->n;
}

bool term_args_all(const term *t, int32_t from, bool (*is)(const term *t))
{
    while (from < t->n && is(t->args[from])) {
        from++;
    }
    return from >= t->n;
}

const term *term_part(const term *t, ptrdiff_t i)
{
    assert(t->kind != TERM_ROW || i < t->n);
    return t->kind == TERM_ROW ? t->args[i] : t;
}

ptrdiff_t term_list_at(const term_list *l, const term *t)
{
    ptrdiff_t at = 0;
    while (at < l->len && l->ptr[at] != t) {
        at++;
    }
    return at < l->len ? at : -1;
}

bool term_list_has(const term_list *l, const term *t)
{
    return term_list_at(l, t) >= 0;
}

bool term_list_has_all(const term_list *l, const term_list *wanted)
{
    bool all = true;
    for (ptrdiff_t i = 0; all && i < wanted->len; i++) {
        all = term_list_has(l, wanted->ptr[i]);
    }
    return all;
}

bool term_list_has_false(const term_list *l)
{
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < l->len; i++) {
        found = term_is_number(l->ptr[i], 0);
    }
    return found;
}

bool term_lists_equal(const term_list *a, const term_list *b)
{
    bool equal = a->len == b->len;
    for (ptrdiff_t i = 0; equal && i < a->len; i++) {
        equal = a->ptr[i] == b->ptr[i];
    }
    return equal;
}

void term_list_push(prover *p, term_list *l, const term *t)
{
    *vec_push(p->a, l) = t;
}

term_list term_list_of_args(prover *p, const term *t)
{
    return (term_list){arena_copy(p->a, t->args, t->n, 0), t->n, t->n};
}

void term_list_push_all(prover *p, term_list *l, const term_list *from)
{
    for (ptrdiff_t i = 0; i < from->len; i++) {
        term_list_push(p, l, from->ptr[i]);
    }
}

term_list term_list_copy(prover *p, const term_list *l)
{
    term_list copy = {0};
    term_list_push_all(p, &copy, l);
    return copy;
}

void term_list_add(prover *p, term_list *l, const term *t)
{
    if (!term_list_has(l, t)) {
        term_list_push(p, l, t);
    }
}

void term_list_remove(term_list *l, ptrdiff_t i)
{
    assert(i >= 0 && i < l->len);
    ptrdiff_t after = l->len - i - 1;
    memmove(l->ptr + i, l->ptr + i + 1, (size_t)after * sizeof *l->ptr);
    l->len--;
}
