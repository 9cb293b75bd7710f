/*
 * law_defog.c - the rules `defog` against the same rules written as literally
 * as possible [definitions/defog.md]: every table is sorted, nothing is hashed.
 */
#include "random_tables.h"

#include <math.h>

static const uint64_t SEED = 20261121;

enum {
    N_PAIRS = 60000,
    MAX_SHOWN = 3 * MAX_COLUMNS,
};

typedef enum kind {
    OBJECT,
    INT,
    BOOL,
    FLOAT,
    TIME,
} kind;

typedef struct plain {
    ptrdiff_t n_rows;
    ptrdiff_t n_columns;
    str names[MAX_SHOWN];
    kind kinds[MAX_SHOWN];
    value cells[MAX_ROWS][MAX_SHOWN];
} plain;

typedef enum outcome {
    NO,
    YES,
    RAISES,
} outcome;

// ---- 4: the frame model

static kind kind_of(const table *t, ptrdiff_t c)
{
    ptrdiff_t n[VALUE_OTHER + 1] = {0};
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        n[table_at(t, r, c).kind]++;
    }
    ptrdiff_t n_numbers = n[VALUE_INT] + n[VALUE_REAL];
    if (t->n_rows > 0 && n[VALUE_INT] == t->n_rows) {
        return INT;
    }
    if (t->n_rows > 0 && n[VALUE_BOOL] == t->n_rows) {
        return BOOL;
    }
    if (n_numbers > 0 && n_numbers + n[VALUE_NULL] == t->n_rows) {
        return FLOAT;
    }
    if (n[VALUE_TIMESTAMP] > 0
        && n[VALUE_TIMESTAMP] + n[VALUE_NULL] == t->n_rows) {
        return TIME;
    }
    return OBJECT;
}

static plain plain_from(const table *t)
{
    plain p = {.n_rows = t->n_rows, .n_columns = t->n_columns};
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        p.names[c] = t->names[c];
        p.kinds[c] = kind_of(t, c);
        for (ptrdiff_t r = 0; r < t->n_rows; r++) {
            value v = table_at(t, r, c);
            bool becomes_real = p.kinds[c] == FLOAT && v.kind == VALUE_INT;
            p.cells[r][c] = becomes_real ? value_real((double)v.i) : v;
        }
    }
    return p;
}

static plain pick_columns(const plain *p, const ptrdiff_t *columns, ptrdiff_t n)
{
    plain out = {.n_rows = p->n_rows, .n_columns = n};
    for (ptrdiff_t c = 0; c < n; c++) {
        out.names[c] = p->names[columns[c]];
        out.kinds[c] = p->kinds[columns[c]];
        for (ptrdiff_t r = 0; r < p->n_rows; r++) {
            out.cells[r][c] = p->cells[r][columns[c]];
        }
    }
    return out;
}

static bool name_repeats(const plain *p, ptrdiff_t column)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t c = 0; c < p->n_columns; c++) {
        n += str_equal(p->names[c], p->names[column]);
    }
    return n > 1;
}

static bool any_name_repeats(const plain *p)
{
    for (ptrdiff_t c = 0; c < p->n_columns; c++) {
        if (name_repeats(p, c)) {
            return true;
        }
    }
    return false;
}

// ---- sorting

// Numbers are one family, every other kind its own.
static int family_of(value v)
{
    return value_is_number(v) ? VALUE_REAL : v.kind;
}

static bool can_sort(const plain *p, ptrdiff_t column, bool is_several)
{
    int family = VALUE_NULL;
    for (ptrdiff_t r = 0; r < p->n_rows; r++) {
        value v = p->cells[r][column];
        if (v.kind == VALUE_NULL || (is_several && v.kind == VALUE_TEXT)) {
            continue;
        }
        if (family != VALUE_NULL && family_of(v) != family) {
            return false;
        }
        family = family_of(v);
    }
    return true;
}

static long double number_of(value v)
{
    return v.kind == VALUE_REAL ? (long double)v.real : (long double)v.i;
}

static int compare_cells(value a, value b)
{
    if (a.kind == VALUE_TEXT || b.kind == VALUE_TEXT) {
        if (a.kind != b.kind) {
            return a.kind == VALUE_TEXT ? 1 : -1;
        }
        return str_compare(value_bytes(a), value_bytes(b));
    }
    if (value_has_bytes(a)) {
        return str_compare(value_bytes(a), value_bytes(b));
    }
    return (number_of(a) > number_of(b)) - (number_of(a) < number_of(b));
}

static int compare_rows(const value *a,
                        const value *b,
                        const ptrdiff_t *by,
                        ptrdiff_t n,
                        bool is_descending)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        value x = a[by[i]];
        value y = b[by[i]];
        if (x.kind == VALUE_NULL || y.kind == VALUE_NULL) {
            if (x.kind != y.kind) {
                return x.kind == VALUE_NULL ? 1 : -1;
            }
            continue;
        }
        int d = compare_cells(x, y);
        if (d != 0) {
            return is_descending ? -d : d;
        }
    }
    return 0;
}

static outcome sort_rows(plain *p,
                         const ptrdiff_t *by,
                         ptrdiff_t n,
                         bool is_descending)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (name_repeats(p, by[i]) || !can_sort(p, by[i], n > 1)) {
            return RAISES;
        }
    }
    for (ptrdiff_t r = 1; r < p->n_rows; r++) {
        for (ptrdiff_t at = r; at > 0; at--) {
            if (compare_rows(p->cells[at - 1], p->cells[at], by, n,
                             is_descending)
                <= 0) {
                break;
            }
            value swap[MAX_SHOWN];
            memcpy(swap, p->cells[at], sizeof swap);
            memcpy(p->cells[at], p->cells[at - 1], sizeof swap);
            memcpy(p->cells[at - 1], swap, sizeof swap);
        }
    }
    return YES;
}

// ---- 5: normalise

static bool same_row(const plain *p, ptrdiff_t a, ptrdiff_t b)
{
    for (ptrdiff_t c = 0; c < p->n_columns; c++) {
        if (!plainly_equal(p->cells[a][c], p->cells[b][c])) {
            return false;
        }
    }
    return true;
}

static void drop_repeated(plain *p)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t r = 0; r < p->n_rows; r++) {
        bool is_new = true;
        for (ptrdiff_t other = 0; other < n; other++) {
            is_new = is_new && !same_row(p, other, r);
        }
        if (is_new) {
            memmove(p->cells[n++], p->cells[r], sizeof p->cells[r]);
        }
    }
    p->n_rows = n;
}

static outcome columns_by_name(plain *p)
{
    ptrdiff_t order[MAX_SHOWN];
    bool is_sorted = true;
    for (ptrdiff_t c = 0; c < p->n_columns; c++) {
        ptrdiff_t at = 0;
        for (ptrdiff_t other = 0; other < p->n_columns; other++) {
            int d = str_compare(p->names[other], p->names[c]);
            at += d < 0 || (d == 0 && other < c);
        }
        order[at] = c;
        is_sorted = is_sorted && at == c;
    }
    if (!is_sorted && any_name_repeats(p)) {
        return RAISES;
    }
    *p = pick_columns(p, order, p->n_columns);
    return YES;
}

// What a test's query has after ORDER BY, read by hand: see queries[].
typedef struct query {
    const char *sql;
    bool has_order_by;
    bool is_ascending;
    const char *keys[3];
} query;

static const query queries[] = {
    {"", false, false, {NULL}},
    {"SELECT 1 FROM t", false, false, {NULL}},
    {"SELECT 1 FROM t ORDER  BY a", false, false, {NULL}},
    {"SELECT 1 FROM t ORDER BY a", true, false, {"a"}},
    {"SELECT 1 FROM t ORDER BY a ASC", true, true, {"a"}},
    {"SELECT 1 FROM t order by t.b asc", true, true, {"b"}},
    {"SELECT 1 FROM t ORDER BY id DESC NULLS LAST LIMIT 3",
     true,
     false,
     {"id"}},
    {"SELECT 1 FROM t ORDER BY a ASC, b DESC", true, true, {"a"}},
    {"SELECT 1 FROM t ORDER BY a asc b desc", true, false, {"a", "b"}},
    {"SELECT 1 FROM t ORDER BY a b a ASC;", true, true, {"a", "b", "a"}},
    {"SELECT 1 FROM t ORDER BY b ASC\nLIMIT 3", true, false, {NULL}},
    {"SELECT 1 FROM t ORDER BY b ASC\n", true, true, {"b"}},
    {"SELECT rank() OVER (ORDER BY A ASC) FROM t ORDER BY b",
     true,
     true,
     {"A"}},
    {"SELECT 1 FROM t ORDER BY a\n, (SELECT x ORDER BY d ASC)",
     true,
     true,
     {"d"}},
    {"SELECT 1 FROM t ORDER BY (name ASC", true, true, {"name"}},
    {"SELECT 1 FROM t ORDER BY x.y.c asc.desc", true, false, {"c"}},
    {"SELECT 1 FROM t ORDER BY Limit aSc", true, true, {NULL}},
    {"SELECT 1 FROM t\tORDER BY\ta\tASC", true, true, {"a"}},
};

typedef struct asking {
    const char *question;
    const char *category;
    bool is_asked;
} asking;

static const asking askings[] = {
    {"list them", "ratio", false},
    {"ordered by size, sorted, rank", "group_by", false},
    {"list them", "order_by", true},
    {"in order to see", "ratio", true},
    {"please Sort it", "", true},
    {"", "order_by ", false},
    {"re-order", "", true},
    {"rearrange, reorder_ order1", "", false},
    {"arrange", "", true},
};

static outcome sort_as_query(plain *p, const query *q)
{
    ptrdiff_t by[MAX_SHOWN];
    ptrdiff_t shown[MAX_SHOWN];
    ptrdiff_t n_keys = 0;
    ptrdiff_t n_shown = 0;
    bool is_key[MAX_SHOWN] = {false};
    for (int k = 0; k < 3 && q->keys[k]; k++) {
        for (ptrdiff_t c = 0; c < p->n_columns; c++) {
            if (str_equal(p->names[c], str_from(q->keys[k]))) {
                by[n_keys++] = c;
                is_key[c] = true;
                break;
            }
        }
    }
    ptrdiff_t n_by = n_keys;
    for (ptrdiff_t c = 0; c < p->n_columns; c++) {
        if (!is_key[c]) {
            by[n_by++] = c;
            shown[n_shown++] = c;
        }
    }
    outcome sorted = sort_rows(p, by, n_by, !q->is_ascending);
    for (ptrdiff_t k = 0; k < n_keys; k++) {
        shown[n_shown++] = by[k];
    }
    *p = pick_columns(p, shown, n_shown);
    return sorted;
}

static outcome normalise(plain *p, const asking *asked, const query *q)
{
    drop_repeated(p);
    if (columns_by_name(p) == RAISES) {
        return RAISES;
    }
    if (!asked->is_asked) {
        ptrdiff_t all[MAX_SHOWN];
        return sort_rows(p, all, in_order(all, p->n_columns), false);
    }
    return q->has_order_by ? sort_as_query(p, q) : YES;
}

// ---- 6: exact

static bool is_number_block(const plain *p, bool *has_float)
{
    *has_float = false;
    for (ptrdiff_t c = 0; c < p->n_columns; c++) {
        if (p->kinds[c] != INT && p->kinds[c] != FLOAT) {
            return false;
        }
        *has_float = *has_float || p->kinds[c] == FLOAT;
    }
    return true;
}

// Integers as floats where a whole table is looked at as one block of floats.
static void to_blocks(plain *a, plain *b)
{
    bool has_float[2];
    bool is_block[2] = {is_number_block(a, &has_float[0]),
                        is_number_block(b, &has_float[1])};
    bool both = is_block[0] && is_block[1];
    plain *tables[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        bool becomes =
            is_block[i] && (has_float[i] || (both && has_float[1 - i]));
        for (ptrdiff_t r = 0; becomes && r < tables[i]->n_rows; r++) {
            for (ptrdiff_t c = 0; c < tables[i]->n_columns; c++) {
                value *v = &tables[i]->cells[r][c];
                *v = v->kind == VALUE_INT ? value_real((double)v->i) : *v;
            }
        }
    }
}

static bool broadcast_equal(plain g, plain p)
{
    if ((g.n_rows != p.n_rows && g.n_rows != 1 && p.n_rows != 1)
        || (g.n_columns != p.n_columns && g.n_columns != 1
            && p.n_columns != 1)) {
        return false;
    }
    to_blocks(&g, &p);
    ptrdiff_t n_rows = g.n_rows == 1 ? p.n_rows : g.n_rows;
    ptrdiff_t n_columns = g.n_columns == 1 ? p.n_columns : g.n_columns;
    for (ptrdiff_t r = 0; r < n_rows; r++) {
        for (ptrdiff_t c = 0; c < n_columns; c++) {
            ptrdiff_t i = g.n_columns == 1 ? 0 : c;
            ptrdiff_t j = p.n_columns == 1 ? 0 : c;
            value a = g.cells[g.n_rows == 1 ? 0 : r][i];
            value b = p.cells[p.n_rows == 1 ? 0 : r][j];
            bool both_object = g.kinds[i] == OBJECT && p.kinds[j] == OBJECT;
            if ((a.kind == VALUE_NULL && !both_object)
                || !plainly_equal(a, b)) {
                return false;
            }
        }
    }
    return true;
}

// NULL as -99999. A column of NULL alone becomes one of integers.
static void fill(plain *p)
{
    for (ptrdiff_t c = 0; c < p->n_columns; c++) {
        ptrdiff_t n_filled = 0;
        for (ptrdiff_t r = 0; r < p->n_rows; r++) {
            if (p->cells[r][c].kind == VALUE_NULL) {
                p->cells[r][c] = value_int(-99999);
                n_filled++;
            }
        }
        if (n_filled > 0 && n_filled == p->n_rows) {
            p->kinds[c] = INT;
        }
    }
}

static outcome exact(plain g,
                     plain p,
                     const asking *asked,
                     const query *gold_query,
                     const query *pred_query)
{
    if (broadcast_equal(g, p)) {
        return YES;
    }
    if (normalise(&g, asked, gold_query) == RAISES
        || normalise(&p, asked, pred_query) == RAISES) {
        return RAISES;
    }
    if (g.n_rows != p.n_rows || g.n_columns != p.n_columns) {
        return NO;
    }
    fill(&g);
    fill(&p);
    to_blocks(&g, &p);
    for (ptrdiff_t r = 0; r < g.n_rows; r++) {
        for (ptrdiff_t c = 0; c < g.n_columns; c++) {
            if (!plainly_equal(g.cells[r][c], p.cells[r][c])) {
                return NO;
            }
        }
    }
    return YES;
}

// ---- 7: subset

static bool nearly_equal(kind x, value a, kind y, value b)
{
    if (plainly_equal(a, b)) {
        return true;
    }
    if (!value_is_number(a) || !value_is_number(b)) {
        return false;
    }
    double d = (double)number_of(a);
    double e = (double)number_of(b);
    if (x == INT || x == BOOL || y == INT || y == BOOL) {
        return ((x == INT && y == FLOAT) || (x == FLOAT && y == INT)) && d == e;
    }
    return fabs(d - e) <= fmax(1e-5 * fmax(fabs(d), fabs(e)), 1e-8);
}

static bool columns_near(const plain *g,
                         ptrdiff_t i,
                         const plain *p,
                         ptrdiff_t j)
{
    if (g->n_rows != p->n_rows) {
        return false;
    }
    for (ptrdiff_t r = 0; r < g->n_rows; r++) {
        if (!nearly_equal(g->kinds[i], g->cells[r][i], p->kinds[j],
                          p->cells[r][j])) {
            return false;
        }
    }
    return true;
}

static outcome sorted_columns_near(const plain *g,
                                   ptrdiff_t i,
                                   const plain *p,
                                   ptrdiff_t j)
{
    plain x = pick_columns(g, &i, 1);
    plain y = pick_columns(p, &j, 1);
    const ptrdiff_t by = 0;
    if (sort_rows(&x, &by, 1, false) == RAISES
        || sort_rows(&y, &by, 1, false) == RAISES) {
        return RAISES;
    }
    return columns_near(&x, 0, &y, 0) ? YES : NO;
}

static outcome take_columns(const plain *g, const plain *p, ptrdiff_t *taken)
{
    bool used[MAX_SHOWN] = {false};
    for (ptrdiff_t i = 0; i < g->n_columns; i++) {
        outcome found = NO;
        for (ptrdiff_t j = 0; j < p->n_columns && found == NO; j++) {
            if (!used[j]) {
                found = sorted_columns_near(g, i, p, j);
                taken[i] = j;
            }
        }
        if (found != YES) {
            return found;
        }
        used[taken[i]] = true;
    }
    return YES;
}

static outcome subset(plain g, plain p, const asking *asked, arena a)
{
    ptrdiff_t taken[MAX_SHOWN];
    if (g.n_rows == 0) {
        return NO;
    }
    outcome found = take_columns(&g, &p, taken);
    if (found != YES) {
        return found;
    }
    for (ptrdiff_t i = 0; i < g.n_columns; i++) {
        if (name_repeats(&p, taken[i])) {
            return RAISES;
        }
    }
    p = pick_columns(&p, taken, g.n_columns);
    str names[MAX_SHOWN];
    for (ptrdiff_t i = 0; i < g.n_columns; i++) {
        names[i] = name_repeats(&g, i)
                       ? arena_printf(&a, "%.*s_%td", STR_ARG(g.names[i]), i)
                       : g.names[i];
    }
    memcpy(g.names, names, (size_t)g.n_columns * sizeof *names);
    memcpy(p.names, names, (size_t)g.n_columns * sizeof *names);
    if (normalise(&g, asked, &queries[0]) == RAISES
        || normalise(&p, asked, &queries[0]) == RAISES) {
        return RAISES;
    }
    for (ptrdiff_t i = 0; i < g.n_columns; i++) {
        if (!columns_near(&g, i, &p, i)) {
            return NO;
        }
    }
    return YES;
}

// ---- the law

static outcome outcome_of(verdict v)
{
    if (v.reason == REASON_COMPARE_ERROR) {
        return RAISES;
    }
    return v.v == ANSWER_YES ? YES : NO;
}

static bool law_holds(const random_pair *p, rng *r, arena a, arena scratch)
{
    const asking *asked = &askings[rng_below(r, countof(askings))];
    const query *gold_query = &queries[rng_below(r, countof(queries))];
    const query *pred_query =
        rng_below(r, 2) ? gold_query : &queries[rng_below(r, countof(queries))];
    const compare_options o = {
        .question = str_from(asked->question),
        .category = str_from(asked->category),
        .gold_sql = str_from(gold_query->sql),
        .pred_sql = str_from(pred_query->sql),
    };
    plain g = plain_from(&p->gold);
    plain q = plain_from(&p->pred);
    outcome want_exact = exact(g, q, asked, gold_query, pred_query);
    outcome want_subset =
        want_exact == NO ? subset(g, q, asked, scratch) : want_exact;
    if (want_subset == RAISES) {
        want_exact = RAISES;
    }
    verdict exec =
        compare_exec(RULES_DEFOG, &p->gold, &p->pred, &o, &a, scratch);
    verdict sub =
        compare_subset(RULES_DEFOG, &p->gold, &p->pred, &o, &a, scratch);
    bool holds =
        outcome_of(exec) == want_exact && outcome_of(sub) == want_subset;
    if (!holds) {
        printf("exec %d, want %d; subset %d, want %d; asked %d\n%s\n%s\n",
               outcome_of(exec), want_exact, outcome_of(sub), want_subset,
               asked->is_asked, gold_query->sql, pred_query->sql);
    }
    return holds;
}

int main(void)
{
    return check_pairs(SEED, N_PAIRS, law_holds);
}
