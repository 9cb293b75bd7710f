/*
 * compare_search.c - find a mapping of columns under which the rows agree.
 *
 * Why         Column order and names do not matter, so any pred column may be
 *             any gold column's. With twenty columns there are 10^18 mappings;
 *             almost always the values leave one.
 *
 * Method      1. A pred column is a candidate for a gold column when the two
 *                alone agree (search_rows.h says how rows agree).
 *             2. When some gold column has several candidates and the mapping
 *                must use all columns, each row is given a hash of all its
 *                cells regardless of their order, and columns are told apart
 *                by the rows in which their values stand. Repeated while it
 *                helps.
 *             3. Gold columns with one candidate are mapped at once.
 *             4. The others are mapped one by one, fewest candidates first.
 *                After each the rows of all columns mapped so far must agree,
 *                which stops a wrong choice within a column or two.
 *             5. A choice that led nowhere is not repeated with its twin: two
 *                columns are twins when exchanging them leaves the table as it
 *                is, identical columns for instance.
 *             What is still too much ends as MATCH_UNDECIDED.
 *
 * Invariants  (1) A mapping that fits passes every check on the way: steps 1,
 *                 2 and 4 test what must hold, step 5 skips what is symmetric.
 *             (2) The first mapping in the order of match_rank wins.
 *
 * Cost        Linear in the rows; each try of step 4 looks at all rows once.
 */
#include "table/compare_search.h"

#include "table/search_rows.h"
#include "table/table_count.h"
#include "table/value_key.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_REFINEMENTS = 3,
    STEPS_PER_CELL = 64,
    MIN_STEPS = 1 << 26,
};

// One column on the way of step 4.
typedef struct frame {
    ptrdiff_t gold_column;
    ptrdiff_t next;       // the candidate to try next
    uint64_t *gold_rows;  // with this column and all before it
    uint64_t *pred_rows;  // likewise, for the present candidate
    hash128 signature;    // of gold_rows
    int32_t *failed;      // candidates that fitted and led nowhere
    ptrdiff_t n_failed;
} frame;

typedef struct candidates {
    int32_t *ptr;
    ptrdiff_t n;
} candidates;

typedef struct search {
    const search_input *in;
    const match_rules *rules;
    const coded *gold;
    const coded *pred;
    candidates *candidates;  // of each gold column, best rank first
    int32_t *columns;        // pred column of each gold column, -1: none yet
    bool *is_used;           // of each pred column
    int32_t *fitting;        // candidates of one gold column, by place
    uint64_t *gold_rows;     // hashes over the columns mapped by step 3
    uint64_t *pred_rows;
    frame *frames;
    ptrdiff_t n_frames;
    uint64_t *whole_rows;  // for step 5, see twin_hashes
    int64_t steps;         // rows still to be looked at
    arena scratch;
} search;

// ---- steps 1 and 2: candidates

// Of each column; NULL where extra rows make them useless.
typedef struct signatures {
    hash128 *gold;
    hash128 *pred;
} signatures;

static void sign_columns(search *s,
                         const coded *t,
                         const uint64_t *rows,
                         hash128 *out)
{
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        out[c] = rows_signature_with(s->rules, rows, coded_column(t, c),
                                     t->n_rows, s->scratch);
    }
    s->steps -= t->n_rows * t->n_columns;
}

// How many different ones there are.
static ptrdiff_t count_signatures(const hash128 *of, ptrdiff_t n, arena scratch)
{
    counter seen = counter_new(&scratch, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        counter_add(&seen, of[i].low);
    }
    return seen.n;
}

static void hash_rows_by_columns(const coded *t,
                                 const hash128 *of,
                                 uint64_t *rows)
{
    memset(rows, 0, (size_t)t->n_rows * sizeof *rows);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        const uint64_t *codes = coded_column(t, c);
        for (ptrdiff_t r = 0; r < t->n_rows; r++) {
            rows[r] += hash_mix(of[c].low, codes[r]);
        }
    }
}

static bool may_refine(const match_rules *m)
{
    return !m->is_ordered && !m->are_sets && !m->allows_extra_columns
           && !m->allows_extra_rows && !m->by_position;
}

static void refine(search *s, signatures *of)
{
    ptrdiff_t k = s->gold->n_columns;
    ptrdiff_t n = count_signatures(of->gold, k, s->scratch);
    for (int i = 0; i < MAX_REFINEMENTS && n < k; i++) {
        hash_rows_by_columns(s->gold, of->gold, s->gold_rows);
        hash_rows_by_columns(s->pred, of->pred, s->pred_rows);
        sign_columns(s, s->gold, s->gold_rows, of->gold);
        sign_columns(s, s->pred, s->pred_rows, of->pred);
        ptrdiff_t before = n;
        n = count_signatures(of->gold, k, s->scratch);
        if (n == before) {
            break;
        }
    }
}

static bool is_candidate(search *s,
                         const signatures *of,
                         ptrdiff_t g,
                         ptrdiff_t p)
{
    if (s->rules->by_position) {
        return g == p;
    }
    if (of->gold) {
        return hash128_equal(of->gold[g], of->pred[p]);
    }
    s->steps -= s->gold->n_rows + s->pred->n_rows;
    return rows_included(s->rules, coded_column(s->gold, g), s->gold->n_rows,
                         coded_column(s->pred, p), s->pred->n_rows, s->scratch);
}

static candidates candidates_of(search *s, const signatures *of, ptrdiff_t g)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t p = 0; p < s->pred->n_columns && s->steps >= 0; p++) {
        if (is_candidate(s, of, g, p)) {
            s->fitting[n++] = (int32_t)p;
        }
    }
    candidates out = {.ptr = arena_new(&s->scratch, int32_t, n)};
    for (int rank = 0; rank < MATCH_RANKS && out.n < n; rank++) {
        for (ptrdiff_t i = 0; i < n; i++) {
            if (match_rank(s->in->gold, g, s->in->pred, s->fitting[i])
                == rank) {
                out.ptr[out.n++] = s->fitting[i];
            }
        }
    }
    return out;
}

static match_answer find_candidates(search *s)
{
    ptrdiff_t k = s->gold->n_columns;
    signatures of = {0};
    if (!s->rules->by_position && !s->rules->allows_extra_rows) {
        of.gold = arena_new(&s->scratch, hash128, k);
        of.pred = arena_new(&s->scratch, hash128, s->pred->n_columns);
        sign_columns(s, s->gold, s->gold_rows, of.gold);
        sign_columns(s, s->pred, s->pred_rows, of.pred);
        if (may_refine(s->rules)) {
            refine(s, &of);
        }
    }
    for (ptrdiff_t g = 0; g < k; g++) {
        s->candidates[g] = candidates_of(s, &of, g);
        if (s->steps < 0) {
            return MATCH_UNDECIDED;
        }
        if (s->candidates[g].n == 0) {
            return MATCH_NO;
        }
    }
    return MATCH_YES;
}

// ---- step 3: columns with one candidate

static match_answer map_forced(search *s)
{
    ptrdiff_t n_forced = 0;
    for (ptrdiff_t g = 0; g < s->gold->n_columns; g++) {
        if (s->candidates[g].n != 1) {
            continue;
        }
        int32_t p = s->candidates[g].ptr[0];
        if (s->is_used[p]) {
            return MATCH_NO;
        }
        s->is_used[p] = true;
        s->columns[g] = p;
        n_forced++;
        code_append(s->gold_rows, coded_column(s->gold, g), s->gold->n_rows);
        code_append(s->pred_rows, coded_column(s->pred, p), s->pred->n_rows);
    }
    if (n_forced == 0) {
        return MATCH_YES;
    }
    bool fits =
        s->rules->allows_extra_rows
            ? rows_included(s->rules, s->gold_rows, s->gold->n_rows,
                            s->pred_rows, s->pred->n_rows, s->scratch)
            : hash128_equal(rows_signature(s->rules, s->gold_rows,
                                           s->gold->n_rows, s->scratch),
                            rows_signature(s->rules, s->pred_rows,
                                           s->pred->n_rows, s->scratch));
    return fits ? MATCH_YES : MATCH_NO;
}

// ---- step 5: twins

// For each pred row a hash in which every column that is a candidate has its
// own part, so that exchanging two columns is a matter of four terms.
static void twin_hashes(search *s)
{
    const coded *t = s->in->pred_exact;
    bool *matters = arena_new(&s->scratch, bool, t->n_columns);
    for (ptrdiff_t g = 0; g < s->gold->n_columns; g++) {
        for (ptrdiff_t i = 0; i < s->candidates[g].n; i++) {
            matters[s->candidates[g].ptr[i]] = true;
        }
    }
    s->whole_rows = arena_new(&s->scratch, uint64_t, t->n_rows);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        const uint64_t *codes = coded_column(t, c);
        for (ptrdiff_t r = 0; matters[c] && r < t->n_rows; r++) {
            s->whole_rows[r] += hash_mix((uint64_t)c, codes[r]);
        }
    }
    s->steps -= t->n_rows * t->n_columns;
}

static bool are_twins(search *s, ptrdiff_t p, ptrdiff_t q)
{
    const coded *t = s->in->pred_exact;
    const uint64_t *x = coded_column(t, p);
    const uint64_t *y = coded_column(t, q);
    s->steps -= t->n_rows;
    if (memcmp(x, y, (size_t)t->n_rows * sizeof *x) == 0) {
        return true;
    }
    if (s->rules->is_ordered) {
        return false;
    }
    if (!s->whole_rows) {
        twin_hashes(s);
    }
    const match_rules bags = {0};
    arena scratch = s->scratch;
    uint64_t *exchanged = arena_new(&scratch, uint64_t, t->n_rows);
    const uint64_t a = (uint64_t)p;
    const uint64_t b = (uint64_t)q;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        exchanged[r] = s->whole_rows[r] - hash_mix(a, x[r]) - hash_mix(b, y[r])
                       + hash_mix(a, y[r]) + hash_mix(b, x[r]);
    }
    return hash128_equal(
        rows_signature(&bags, s->whole_rows, t->n_rows, scratch),
        rows_signature(&bags, exchanged, t->n_rows, scratch));
}

// ---- step 4: the columns that leave a choice

static void open_frame(search *s, ptrdiff_t level)
{
    assert(level >= 0 && level < s->n_frames);
    frame *f = &s->frames[level];
    f->next = 0;
    f->n_failed = 0;
    if (f->gold_rows) {
        return;  // was here before; the gold's part does not change
    }
    ptrdiff_t n = s->gold->n_rows;
    const uint64_t *before =
        level == 0 ? s->gold_rows : s->frames[level - 1].gold_rows;
    f->gold_rows = arena_new(&s->scratch, uint64_t, n);
    f->pred_rows = arena_new(&s->scratch, uint64_t, s->pred->n_rows);
    f->failed =
        arena_new(&s->scratch, int32_t, s->candidates[f->gold_column].n);
    memcpy(f->gold_rows, before, (size_t)n * sizeof *before);
    code_append(f->gold_rows, coded_column(s->gold, f->gold_column), n);
    if (!s->rules->allows_extra_rows) {
        f->signature = rows_signature(s->rules, f->gold_rows, n, s->scratch);
    }
    s->steps -= n;
}

// Do the rows agree with pred column p added to those mapped before?
static bool fits(search *s, ptrdiff_t level, ptrdiff_t p)
{
    assert(level < s->n_frames
           && s->frames[level].gold_rows);  // open_frame() was here
    frame *f = &s->frames[level];
    ptrdiff_t n = s->pred->n_rows;
    const uint64_t *before =
        level == 0 ? s->pred_rows : s->frames[level - 1].pred_rows;
    memcpy(f->pred_rows, before, (size_t)n * sizeof *before);
    code_append(f->pred_rows, coded_column(s->pred, p), n);
    s->steps -= n;
    if (s->rules->allows_extra_rows) {
        return rows_included(s->rules, f->gold_rows, s->gold->n_rows,
                             f->pred_rows, n, s->scratch);
    }
    return hash128_equal(f->signature,
                         rows_signature(s->rules, f->pred_rows, n, s->scratch));
}

static bool is_hopeless(search *s, const frame *f, ptrdiff_t p)
{
    for (ptrdiff_t i = 0; i < f->n_failed; i++) {
        if (are_twins(s, f->failed[i], p)) {
            return true;
        }
    }
    return false;
}

// Maps the column of this level to its next candidate that fits.
static bool try_next(search *s, ptrdiff_t level)
{
    frame *f = &s->frames[level];
    assert(s->columns[f->gold_column] < 0);  // take_back() freed it
    const candidates *c = &s->candidates[f->gold_column];
    while (f->next < c->n && s->steps >= 0) {
        int32_t p = c->ptr[f->next++];
        if (s->is_used[p] || is_hopeless(s, f, p) || !fits(s, level, p)) {
            continue;
        }
        s->is_used[p] = true;
        s->columns[f->gold_column] = p;
        return true;
    }
    return false;
}

static void take_back(search *s, ptrdiff_t level)
{
    frame *f = &s->frames[level];
    int32_t p = s->columns[f->gold_column];
    assert(p >= 0 && f->n_failed < s->candidates[f->gold_column].n);
    f->failed[f->n_failed++] = p;
    s->is_used[p] = false;
    s->columns[f->gold_column] = -1;
}

static match_answer check_mapping(search *s)
{
    if (!s->in->near) {
        return MATCH_YES;
    }
    s->steps -= s->pred->n_rows * s->gold->n_columns;
    near_tables mapped = *s->in->near;
    mapped.columns = s->columns;
    return near_rows(&mapped, s->scratch);
}

static match_answer map_choices(search *s)
{
    match_answer worst = MATCH_NO;
    ptrdiff_t level = 0;
    while (level >= 0 && s->steps >= 0) {
        bool goes_on = false;
        if (level == s->n_frames) {
            match_answer found = check_mapping(s);
            if (found == MATCH_YES) {
                return MATCH_YES;
            }
            worst = found == MATCH_UNDECIDED ? found : worst;
        } else {
            goes_on = try_next(s, level);
        }
        level += goes_on ? 1 : -1;
        if (goes_on && level < s->n_frames) {
            open_frame(s, level);
        } else if (!goes_on && level >= 0) {
            take_back(s, level);
        }
    }
    return s->steps < 0 ? MATCH_UNDECIDED : worst;
}

// Frames for the columns that leave a choice, fewest candidates first.
static void make_frames(search *s)
{
    s->frames = arena_new(&s->scratch, frame, s->gold->n_columns);
    for (ptrdiff_t g = 0; g < s->gold->n_columns; g++) {
        if (s->columns[g] >= 0) {
            continue;
        }
        ptrdiff_t i = s->n_frames++;
        while (i > 0
               && s->candidates[s->frames[i - 1].gold_column].n
                      > s->candidates[g].n) {
            s->frames[i].gold_column = s->frames[i - 1].gold_column;
            i--;
        }
        s->frames[i].gold_column = g;
    }
    if (s->n_frames > 0) {
        open_frame(s, 0);
    }
}

match_answer search_columns(const search_input *in,
                            int32_t *columns,
                            arena scratch)
{
    search s = {
        .in = in,
        .rules = in->rules,
        .gold = in->gold_codes,
        .pred = in->pred_codes,
        .columns = columns,
        .scratch = scratch,
    };
    assert(in->pred_exact->n_rows == s.pred->n_rows);  // twins are rows of both
    assert(s.pred->n_columns == in->pred->n_columns);
    assert(s.gold->n_columns == in->gold->n_columns);
    ptrdiff_t n_cells =
        s.gold->n_rows * s.gold->n_columns + s.pred->n_rows * s.pred->n_columns;
    s.steps = in->rules->max_steps ? in->rules->max_steps
                                   : MIN_STEPS + STEPS_PER_CELL * n_cells;
    s.candidates = arena_new(&s.scratch, candidates, s.gold->n_columns);
    s.is_used = arena_new(&s.scratch, bool, s.pred->n_columns);
    s.fitting = arena_new(&s.scratch, int32_t, s.pred->n_columns);
    s.gold_rows = rows_start(in->rules, s.gold->n_rows, &s.scratch);
    s.pred_rows = rows_start(in->rules, s.pred->n_rows, &s.scratch);
    for (ptrdiff_t g = 0; g < s.gold->n_columns; g++) {
        columns[g] = -1;
    }
    match_answer so_far = find_candidates(&s);
    if (so_far == MATCH_YES) {
        so_far = map_forced(&s);
    }
    if (so_far == MATCH_YES) {
        make_frames(&s);
        so_far = map_choices(&s);
    }
    return so_far;
}
