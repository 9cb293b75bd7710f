/*
 * robust.c - see robust.h.
 *
 * Method      The line of an original is added under the id, database and kind
 *             of the changed case, once for each of its changes: the shares
 *             before and after are over the same pairs.
 */
#include "report/robust.h"

#include "report/agreement.h"

#include <math.h>

// A changed case and its original, NULL where that is not there.
typedef struct line_pair {
    const case_line *before;
    const case_line *after;
    str kind;
    str id;
} line_pair;

typedef vec_of(line_pair) line_pairs;

double robust_relative(const paired_counts *c)
{
    return part_share(c->both, c->both + c->only_a);
}

static bool add_side(versus *v, const line_pairs *pairs, bool after, diag *d)
{
    versus_begin_file(v, after ? S("after") : S("before"), (str){0});
    for (ptrdiff_t i = 0; i < pairs->len && d->count == 0; i++) {
        const line_pair *p = &pairs->ptr[i];
        if (p->before) {
            case_line line = after ? *p->after : *p->before;
            line.run = after ? S("after") : S("before");
            line.id = p->id;
            line.db = p->after->db;
            line.category = p->kind;
            versus_add(v, &line, (diag_place){0}, d);
        }
    }
    return d->count == 0;
}

static bool add_run(robust_runs *out,
                    str name,
                    const line_pairs *pairs,
                    const versus *like,
                    arena *a,
                    diag *d,
                    arena scratch)
{
    robust_run r = {
        .name = name,
        .v = versus_new(a, like->metric, like->cluster, like->clock_use),
    };
    ptrdiff_t n_pairs = 0;
    for (ptrdiff_t i = 0; i < pairs->len; i++) {
        n_pairs += pairs->ptr[i].before != NULL;
    }
    r.n_unpaired = pairs->len - n_pairs;
    if (n_pairs == 0) {
        return true;
    }
    if (!add_side(&r.v, pairs, false, d) || !add_side(&r.v, pairs, true, d)
        || !versus_end(&r.v, d, scratch)) {
        return false;
    }
    ptrdiff_t n = map_count(&r.v.names[VERSUS_BY_CATEGORY]);
    double *p = arena_new(a, double, n);
    double *adjusted = arena_new(a, double, n);
    r.pair = versus_all(&r.v, a, scratch);
    r.kinds = versus_counts(&r.v, 0, 1, VERSUS_BY_CATEGORY, a);
    for (ptrdiff_t i = 0; i < n; i++) {
        p[i] = mcnemar_p(r.kinds[i].only_a, r.kinds[i].only_b);
    }
    holm_adjust(p, n, adjusted, scratch);
    r.p = adjusted;
    *vec_push(a, out) = r;
    return true;
}

static bool has_pairs(const robust_runs *out, diag *d)
{
    return out->len > 0
           || diag_add(d, (diag_place){0},
                       "no changed case has its original here: a case names it "
                       "in the member 'of', or journals come in pairs BEFORE "
                       "AFTER with the same ids");
}

// Lines by what is one case; of several the first counts.
typedef struct line_index {
    map cases;
    vec_of(const case_line *) lines;
} line_index;

static void index_add(line_index *x, arena *a, str key, const case_line *line)
{
    const case_line **first = vec_at(a, &x->lines, map_add(&x->cases, a, key));
    *first = *first ? *first : line;
}

// NULL: there is none.
static const case_line *index_find(const line_index *x, str key)
{
    ptrdiff_t i = map_find(&x->cases, key);
    return i >= 0 ? x->lines.ptr[i] : NULL;
}

// The pairs of each run.
typedef struct run_pairs {
    map runs;
    vec_of(line_pairs) of;
} run_pairs;

static line_pairs *pairs_of(run_pairs *all, str run, arena *a)
{
    ptrdiff_t i = map_add(&all->runs, a, run);
    return vec_at(a, &all->of, i);
}

// Are the runs after called as those before? Else all files are of one model,
// as pre.sql and post.sql.
static bool share_runs(const robust_lines *lines, arena scratch)
{
    map before = {0};
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        if (lines->ptr[i].file % 2 == 0) {
            map_add(&before, &scratch, lines->ptr[i].line.run);
        }
    }
    bool share = true;
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        share &= lines->ptr[i].file % 2 == 0
                 || map_find(&before, lines->ptr[i].line.run) >= 0;
    }
    return share;
}

// Has a journal several runs? Without names in common nobody knows which of
// them belong together.
static bool has_several_runs(const robust_lines *lines, arena scratch)
{
    map files = {0};
    map runs = {0};
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        arena *a = &scratch;
        const robust_line *l = &lines->ptr[i];
        map_add(&files, a, arena_printf(a, "%td", l->file));
        map_add(&runs, a,
                arena_printf(a, "%td %.*s", l->file, STR_ARG(l->line.run)));
    }
    return map_count(&runs) > map_count(&files);
}

// How lines are paired.
typedef struct pairing {
    const str *kinds;  // NULL: by the member `of`
    bool is_shared;    // runs are called alike before and after
    arena *a;
} pairing;

static bool is_changed(const pairing *p, const robust_line *l)
{
    return p->kinds ? l->file % 2 == 1 : l->line.of.len > 0;
}

static str run_of(const pairing *p, const robust_line *l)
{
    return !p->kinds || p->is_shared ? l->line.run : S("all");
}

// What a case with that id is known by, among lines that may be paired with
// this one.
static str key_of(const pairing *p, const robust_line *l, str id)
{
    str run = run_of(p, l);
    return arena_printf(p->a, "%td %.*s\n%.*s", p->kinds ? l->file / 2 : 0,
                        STR_ARG(run), STR_ARG(id));
}

static line_pair pair_of(const pairing *p,
                         const robust_line *l,
                         const line_index *originals)
{
    const case_line *c = &l->line;
    if (!p->kinds) {
        const case_line *before = index_find(originals, key_of(p, l, c->of));
        return (line_pair){.before = before != c ? before : NULL,
                           .after = c,
                           .kind = c->category,
                           .id = c->id};
    }
    str kind = p->kinds[l->file];
    return (line_pair){
        .before = index_find(originals, key_of(p, l, c->id)),
        .after = c,
        .kind = c->category.len > 0 ? c->category : kind,
        .id = arena_printf(p->a, "%.*s %.*s", STR_ARG(kind), STR_ARG(c->id))};
}

bool robust_of(robust_runs *out,
               const robust_lines *lines,
               const str *kinds,
               const versus *like,
               arena *a,
               diag *d,
               arena scratch)
{
    line_index originals = {0};
    run_pairs pairs = {0};
    bool is_shared = kinds && share_runs(lines, scratch);
    const pairing p = {kinds, is_shared, a};
    if (kinds && !is_shared && has_several_runs(lines, scratch)) {
        return diag_add(d, (diag_place){0},
                        "a journal has several runs, and they are not called "
                        "the same before and after: score both with --pred "
                        "NAME=FILE");
    }
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        const robust_line *l = &lines->ptr[i];
        if (!kinds || !is_changed(&p, l)) {
            index_add(&originals, a, key_of(&p, l, l->line.id), &l->line);
        }
        if (!kinds || is_changed(&p, l)) {
            pairs_of(&pairs, run_of(&p, l), a);
        }
    }
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        const robust_line *l = &lines->ptr[i];
        if (is_changed(&p, l)) {
            *vec_push(a, pairs_of(&pairs, run_of(&p, l), a)) =
                pair_of(&p, l, &originals);
        }
    }
    bool ok = true;
    for (ptrdiff_t i = 0; i < pairs.of.len && ok; i++) {
        ok = add_run(out, map_key_at(&pairs.runs, i), &pairs.of.ptr[i], like, a,
                     d, scratch);
    }
    return ok && has_pairs(out, d);
}
