/*
 * law_spider2.c - the rules `spider2` against the same rules written as
 * literally as possible [definitions/spider2.md#comparison]: each cell is
 * printed, each column is read back, each pair of columns is sorted.
 */
#include "random_tables.h"

#include <math.h>
#include <stdlib.h>

static const uint64_t SEED = 20261122;

enum {
    N_PAIRS = 60000,
};

// A column as the evaluator has it: Python objects. REAL is a float.
typedef struct column {
    value cells[MAX_ROWS];
    ptrdiff_t n;
    bool is_int;
    bool is_float;
} column;

// Python's str() of a number, as far as the random tables need it.
static str number_text(value v, arena *a)
{
    if (v.kind == VALUE_BOOL) {
        return v.i ? S("True") : S("False");
    }
    if (v.kind == VALUE_INT) {
        return arena_printf(a, "%lld", (long long)v.i);
    }
    char text[400];
    int precision = 1;
    do {
        snprintf(text, sizeof text, "%.*g", precision++, v.real);
    } while (strtod(text, NULL) != v.real);
    if (fabs(v.real) >= 1e16) {
        return arena_printf(a, "%s", text);
    }
    if (v.real == floor(v.real)) {
        return arena_printf(a, "%.1f", v.real);
    }
    return arena_printf(a, "%s", text);
}

static str csv_text(value v, arena *a)
{
    switch (v.kind) {
    case VALUE_NULL: return S("");
    case VALUE_TEXT: return value_bytes(v);
    case VALUE_BLOB:
        return v.bytes[0] == '\x01'
                   ? S("b\"\\x01'\"")
                   : arena_printf(a, "b'%.*s'", STR_ARG(value_bytes(v)));
    case VALUE_DATE:
    case VALUE_TIMESTAMP: {
        buf b = buf_new(a);
        value_show(&b, v, 0);
        return buf_str(&b);
    }
    default: return number_text(v, a);
    }
}

static bool is_word(str s, const char *words)
{
    str rest = str_from(words);
    while (rest.len > 0) {
        if (str_equal(s, str_cut(&rest, '|'))) {
            return true;
        }
    }
    return false;
}

static bool is_missing(str s)
{
    return s.len == 0 || is_word(s, "NA|null|None|nan|NaN|NULL|N/A");
}

static bool is_bool(str s)
{
    return is_word(s, "True|TRUE|true|False|FALSE|false");
}

// Consists of the characters of `set` and is a number to C.
static bool is_number(str s, const char *set, arena a)
{
    char *text = arena_cstr(&a, s);
    char *end = NULL;
    strtod(text, &end);
    return strspn(text, set) == (size_t)s.len && *end == '\0';
}

static bool is_int(str s, arena a)
{
    return is_number(s, "+-0123456789 ", a);
}

static bool is_float(str s, arena a)
{
    return is_number(s, "+-0123456789.eE ", a);
}

static column read_back(const table *t, ptrdiff_t c, arena *a)
{
    column out = {.n = t->n_rows};
    ptrdiff_t n[4] = {0};  // missing, bool, int, int or float
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        str s = csv_text(table_at(t, r, c), a);
        out.cells[r] = value_text(s);
        bool missing = is_missing(s);
        n[0] += missing;
        n[1] += is_bool(s);
        n[2] += !missing && is_int(s, *a);
        n[3] += !missing && is_float(s, *a);
    }
    out.is_int = n[2] == t->n_rows && t->n_rows > 0;
    out.is_float = !out.is_int && n[0] + n[3] == t->n_rows;
    bool is_all_bool = n[1] > 0 && n[0] + n[1] == t->n_rows;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        char *text = arena_cstr(a, value_bytes(out.cells[r]));
        if (is_missing(str_from(text))) {
            out.cells[r] = value_int(0);
        } else if (out.is_int) {
            out.cells[r] = value_int(strtoll(text, NULL, 10));
        } else if (out.is_float) {
            out.cells[r] = value_real(strtod(text, NULL));
        } else if (is_all_bool) {
            out.cells[r] =
                (value){.i = to_lower(text[0]) == 't', .kind = VALUE_BOOL};
        }
    }
    return out;
}

static void read_table(column *out,
                       const table *t,
                       const int32_t *which,
                       ptrdiff_t n,
                       arena *a)
{
    bool all_numbers = true;
    bool any_float = false;
    for (ptrdiff_t c = 0; c < n; c++) {
        out[c] = read_back(t, which ? which[c] : c, a);
        all_numbers = all_numbers && (out[c].is_int || out[c].is_float);
        any_float = any_float || out[c].is_float;
    }
    for (ptrdiff_t c = 0; all_numbers && any_float && c < n; c++) {
        for (ptrdiff_t r = 0; out[c].is_int && r < t->n_rows; r++) {
            out[c].cells[r] = value_real((double)out[c].cells[r].i);
        }
    }
}

// By (text, is a number).
static int compare_cells(value a, value b, arena scratch)
{
    bool a_is_text = a.kind == VALUE_TEXT;
    bool b_is_text = b.kind == VALUE_TEXT;
    str x = a_is_text ? value_bytes(a) : number_text(a, &scratch);
    str y = b_is_text ? value_bytes(b) : number_text(b, &scratch);
    int d = str_compare(x, y);
    return d ? d : b_is_text - a_is_text;
}

static void sort_cells(column *c, arena scratch)
{
    for (ptrdiff_t r = 1; r < c->n; r++) {
        for (ptrdiff_t at = r; at > 0; at--) {
            value v = c->cells[at];
            if (compare_cells(c->cells[at - 1], v, scratch) <= 0) {
                break;
            }
            c->cells[at] = c->cells[at - 1];
            c->cells[at - 1] = v;
        }
    }
}

static bool cells_match(value a, value b)
{
    if (a.kind == VALUE_TEXT || b.kind == VALUE_TEXT) {
        return plainly_equal(a, b);
    }
    double x = a.kind == VALUE_REAL ? a.real : (double)a.i;
    double y = b.kind == VALUE_REAL ? b.real : (double)b.i;
    double larger = fmax(fabs(x), fabs(y));
    return fabs(x - y) <= fmax(1e-9 * larger, 1e-2);
}

static bool columns_match(column x, column y, bool is_ordered, arena scratch)
{
    if (x.n != y.n) {
        return false;
    }
    if (!is_ordered) {
        sort_cells(&x, scratch);
        sort_cells(&y, scratch);
    }
    for (ptrdiff_t r = 0; r < x.n; r++) {
        if (!cells_match(x.cells[r], y.cells[r])) {
            return false;
        }
    }
    return true;
}

static bool matches_literally(const random_pair *p,
                              const int32_t *which,
                              ptrdiff_t n,
                              arena a)
{
    column gold[MAX_COLUMNS];
    column pred[MAX_COLUMNS];
    read_table(gold, &p->gold, which, n, &a);
    read_table(pred, &p->pred, NULL, p->pred.n_columns, &a);
    for (ptrdiff_t g = 0; g < n; g++) {
        bool found = false;
        for (ptrdiff_t c = 0; c < p->pred.n_columns && !found; c++) {
            found = columns_match(gold[g], pred[c], p->is_ordered, a);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool law_holds(const random_pair *p, rng *r, arena a, arena scratch)
{
    int32_t which[MAX_COLUMNS];
    ptrdiff_t n = 0;
    for (ptrdiff_t c = 0; c < p->gold.n_columns; c++) {
        if (rng_below(r, 2)) {
            which[n++] = (int32_t)c;
        }
    }
    const compare_options o = {.is_ordered = p->is_ordered,
                               .gold_columns = which,
                               .n_gold_columns = n};
    bool want = n > 0 ? matches_literally(p, which, n, scratch)
                      : matches_literally(p, NULL, p->gold.n_columns, scratch);
    verdict v =
        compare_exec(RULES_SPIDER2, &p->gold, &p->pred, &o, &a, scratch);
    bool holds = v.v == (want ? ANSWER_YES : ANSWER_NO);
    if (!holds) {
        printf("want %d, %td columns count, %s\n", want, n,
               p->is_ordered ? "ordered" : "not ordered");
    }
    return holds;
}

int main(void)
{
    return check_pairs(SEED, N_PAIRS, law_holds);
}
