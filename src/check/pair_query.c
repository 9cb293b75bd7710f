/*
 * pair_query.c - which rows the engine was free to choose.
 *
 * Method      A test query returns the rows that a choice is made from, with
 *             its sort keys; they are cut into blocks of equal keys. LIMIT
 *             takes whole blocks and part of one: only that one is a choice.
 *
 * Invariants  (1) A choice without a test, or whose test fails, is not fixed.
 *             (2) Inner tests are compiled once, at first use, and finalised by
 *                 pair_query_close.
 *
 * Cost        A run of each test for a database; linear in its rows.
 */
#include "check/pair_query.h"

#include "table/value_key.h"

#include <assert.h>
#include <string.h>

pair_query pair_query_open(scratch_db *db, read_query said, arena *a)
{
    pair_query s = {.said = said, .db = db, .a = a};
    s.query = scratch_prepare(db, said.sql, &s.failed, a);
    return s;
}

static void take_choices(pair_query *s, engine_choices choices)
{
    s->choices = choices;
    s->inner = arena_new(s->a, scratch_query *, choices.inner.len);
    s->was_tried = arena_new(s->a, bool, choices.inner.len + 1);
}

void pair_query_choose(pair_query *s,
                       const binding *b,
                       const binding *folded,
                       semantics_bare bare,
                       arena scratch)
{
    engine_choices of = {0};
    if (s->was_tried) {
        return;
    }
    if (b) {
        of = engine_choices_of(s->a, b, bare, scratch);
        engine_choices more =
            folded ? engine_choices_of(s->a, folded, bare, scratch)
                   : (engine_choices){0};
        of = more.is_of_spelling ? more : of;
    } else {
        *vec_push(s->a, &of.inner) = (engine_choice){.kind = CHOICE_ROWS};
    }
    take_choices(s, of);
}

pair_query pair_query_on(const pair_query *s, scratch_db *db, arena *a)
{
    pair_query out = {.said = s->said, .db = db, .a = a};
    take_choices(&out, s->choices);
    return out;
}

bool pair_query_runs(pair_query *s)
{
    if (!s->query && s->failed.status == REASON_NONE) {
        s->query = scratch_prepare(s->db, s->said.sql, &s->failed, s->a);
    }
    return s->query;
}

void pair_query_close(pair_query *s)
{
    scratch_forget(s->query);
    scratch_forget(s->top);
    for (ptrdiff_t i = 0; s->inner && i < s->choices.inner.len; i++) {
        scratch_forget(s->inner[i]);
    }
}

// Runs a test, which is compiled once; REASON_NOT_RUN when it has none.
static execution run_test(pair_query *s,
                          const engine_choice *c,
                          scratch_query **query,
                          ptrdiff_t no,
                          arena *a)
{
    assert(no >= 0
           && no <= s->choices.inner.len);  // the last is the query's own
    if (!s->was_tried[no]) {
        execution failed;
        s->was_tried[no] = true;
        *query = c->sql.len > 0 ? scratch_prepare(s->db, c->sql, &failed, s->a)
                                : NULL;
    }
    return *query ? scratch_run(*query, ENGINE_READ_ALL, a)
                  : (execution){.status = REASON_NOT_RUN};
}

// For each row its sort keys, as one.
static hash128 *row_keys(const table *t, const engine_choice *c, arena *a)
{
    hash128 *keys = arena_new(a, hash128, t->n_rows);
    for (ptrdiff_t i = 0; i < t->n_rows * c->n_keys; i++) {
        const engine_choice_key *key = &c->keys[i % c->n_keys];
        value v = table_at(t, i / c->n_keys, key->column);
        if (key->ignores_case && v.kind == VALUE_TEXT) {
            v = value_text(arena_lower(a, value_bytes(v)));
        }
        hash128 *all = &keys[i / c->n_keys];
        *all = key_append(*all, value_key(v));
    }
    return keys;
}

typedef vec_of(result_block) block_list;

// The part of a block that LIMIT and OFFSET leave.
static ptrdiff_t taken_of(const engine_choice *c,
                          ptrdiff_t start,
                          ptrdiff_t end)
{
    assert(start >= 0 && start < end);
    ptrdiff_t from = start > c->offset ? start : (ptrdiff_t)c->offset;
    ptrdiff_t to = end;
    if (c->count >= 0 && to - c->offset > c->count) {
        to = (ptrdiff_t)(c->offset + c->count);
    }
    return to > from ? to - from : 0;
}

// The rows that LIMIT reaches, in blocks of equal keys. When OFFSET cuts a
// block, that and the last become one supply.
static possible_results blocks_of(const table *t,
                                  const engine_choice *c,
                                  ptrdiff_t n_shown,
                                  coder *codes,
                                  arena *a,
                                  arena scratch)
{
    block_list whole = {0};
    const hash128 *keys = row_keys(t, c, &scratch);
    ptrdiff_t *part = arena_new(&scratch, ptrdiff_t, t->n_rows);
    ptrdiff_t n_part = 0;
    ptrdiff_t part_taken = 0;
    ptrdiff_t *rows = arena_new(&scratch, ptrdiff_t, t->n_rows);
    ptrdiff_t n_rows = 0;
    bool is_loose = false;
    for (ptrdiff_t start = 0, end = 0; start < t->n_rows; start = end) {
        for (end = start + 1;
             end < t->n_rows && hash128_equal(keys[start], keys[end]);) {
            end++;
        }
        ptrdiff_t taken = taken_of(c, start, end);
        bool is_whole = taken == end - start;
        if (taken > 0 && is_whole) {
            *vec_push(a, &whole) = (result_block){n_rows, taken, taken};
        }
        is_loose |= taken > 0 && !is_whole && start < c->offset;
        part_taken += is_whole ? 0 : taken;
        for (ptrdiff_t r = start; taken > 0 && r < end; r++) {
            *(is_whole ? &rows[n_rows++] : &part[n_part++]) = r;
        }
    }
    if (n_part > 0) {
        *vec_push(a, &whole) = (result_block){n_rows, n_part, part_taken};
        memcpy(rows + n_rows, part, (size_t)n_part * sizeof *part);
        n_rows += n_part;
    }
    int32_t *cells = arena_new(a, int32_t, n_rows * n_shown);
    for (ptrdiff_t i = 0; i < n_rows * n_shown; i++) {
        value v = table_at(t, rows[i / n_shown], i % n_shown);
        cells[i] = coder_code(codes, v, scratch);
    }
    return (possible_results){
        .n_columns = n_shown,
        .n_rows = n_rows,
        .cells = cells,
        .blocks = whole.ptr,
        .n_blocks = whole.len,
        .is_loose = is_loose,
    };
}

static bool limit_is_fixed(const table *t,
                           const engine_choice *c,
                           arena a,
                           arena scratch)
{
    coder codes = coder_new(&a, t->n_rows * t->n_columns, 0);
    possible_results o = blocks_of(t, c, c->n_shown, &codes, &a, scratch);
    return possible_results_are_one(&o, scratch);
}

// Do rows with the same keys (and, among them, those at the extreme) have the
// same bare columns?
static bool bare_is_fixed(const table *t, const engine_choice *c, arena scratch)
{
    ptrdiff_t extreme = c->n_keys + c->n_bare;
    assert(c->extreme == EXTREME_NONE || extreme < t->n_columns);
    const hash128 *keys = row_keys(t, c, &scratch);
    key_set groups = key_set_new(&scratch, t->n_rows);
    ptrdiff_t *best = arena_new(&scratch, ptrdiff_t, t->n_rows);  // by group
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        ptrdiff_t before = groups.n;
        ptrdiff_t g = key_set_add(&groups, keys[r]);
        bool is_first = g == before;
        best[g] = is_first ? r : best[g];
        if (is_first || c->extreme == EXTREME_NONE) {
            continue;
        }
        value v = table_at(t, r, extreme);
        value most = table_at(t, best[g], extreme);
        int order = value_is_null(v)      ? 0
                    : value_is_null(most) ? 1
                                          : value_order(v, most, false);
        order =
            c->extreme == EXTREME_MIN && !value_is_null(most) ? -order : order;
        best[g] = order > 0 ? r : best[g];
    }
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        ptrdiff_t from = best[key_set_find(&groups, keys[r])];
        bool counts =
            c->extreme == EXTREME_NONE
            || value_equal(table_at(t, r, extreme), table_at(t, from, extreme));
        for (ptrdiff_t b = c->n_keys; counts && b < extreme; b++) {
            if (!value_equal(table_at(t, r, b), table_at(t, from, b))) {
                return false;
            }
        }
    }
    return true;
}

bool engine_choice_is_fixed(const engine_choice *c,
                            const table *rows,
                            arena a,
                            arena scratch)
{
    switch (c->kind) {
    case CHOICE_ROWS: return rows->n_rows == 0;
    case CHOICE_LIMIT: return limit_is_fixed(rows, c, a, scratch);
    case CHOICE_BARE: break;
    }
    return bare_is_fixed(rows, c, scratch);
}

bool pair_query_is_fixed(pair_query *s, arena temporary, arena scratch)
{
    bool fixed = true;
    for (ptrdiff_t i = 0; fixed && i < s->choices.inner.len; i++) {
        const engine_choice *c = &s->choices.inner.ptr[i];
        arena a = temporary;
        execution x = run_test(s, c, &s->inner[i], i, &a);
        fixed = x.status == REASON_NONE
                && engine_choice_is_fixed(c, &x.result, a, scratch);
    }
    return fixed;
}

bool pair_query_blocks(pair_query *s, table *rows, arena *a)
{
    execution x =
        run_test(s, &s->choices.top, &s->top, s->choices.inner.len, a);
    *rows = x.result;
    return x.status == REASON_NONE;
}

possible_results pair_query_results(const pair_query *s,
                                    const table *blocks,
                                    coder *c,
                                    arena *a,
                                    arena scratch)
{
    const engine_choice *top = &s->choices.top;
    return blocks_of(blocks, top, top->n_shown, c, a, scratch);
}
