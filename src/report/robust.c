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
    int64_t right = c->both + c->only_a;
    return right > 0 ? (double)c->both / (double)right : NAN;
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

// "RUN\nID" of a line: what is one case.
static str key_of(arena *a, str run, str id)
{
    return arena_printf(a, "%.*s\n%.*s", STR_ARG(run), STR_ARG(id));
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

static bool add_runs(robust_runs *out,
                     const run_pairs *all,
                     const versus *like,
                     arena *a,
                     diag *d,
                     arena scratch)
{
    for (ptrdiff_t i = 0; i < all->of.len; i++) {
        if (!add_run(out, map_key_at(&all->runs, i), &all->of.ptr[i], like, a,
                     d, scratch)) {
            return false;
        }
    }
    return has_pairs(out, d);
}

bool robust_by_member(robust_runs *out,
                      const robust_lines *lines,
                      const versus *like,
                      arena *a,
                      diag *d,
                      arena scratch)
{
    line_index originals = {0};
    run_pairs pairs = {0};
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        const case_line *line = &lines->ptr[i].line;
        index_add(&originals, a, key_of(a, line->run, line->id), line);
        pairs_of(&pairs, line->run, a);
    }
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        const case_line *line = &lines->ptr[i].line;
        if (line->of.len > 0) {
            const case_line *before =
                index_find(&originals, key_of(a, line->run, line->of));
            *vec_push(a, pairs_of(&pairs, line->run, a)) = (line_pair){
                .before = before != line ? before : NULL,  // nor is it its own
                .after = line,
                .kind = line->category,
                .id = line->id,
            };
        }
    }
    return add_runs(out, &pairs, like, a, d, scratch);
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

// What a line of a pair of files is known by.
static str key_in_pair(arena *a, const robust_line *l, bool is_shared)
{
    return arena_printf(a, "%td %.*s\n%.*s", l->file / 2,
                        STR_ARG(is_shared ? l->line.run : S("")),
                        STR_ARG(l->line.id));
}

bool robust_by_file(robust_runs *out,
                    const robust_lines *lines,
                    const str *kinds,
                    const versus *like,
                    arena *a,
                    diag *d,
                    arena scratch)
{
    line_index originals = {0};
    run_pairs pairs = {0};
    bool is_shared = share_runs(lines, scratch);
    if (!is_shared && has_several_runs(lines, scratch)) {
        return diag_add(d, (diag_place){0},
                        "a journal has several runs, and they are not called "
                        "the same before and after: score both with --pred "
                        "NAME=FILE");
    }
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        const robust_line *l = &lines->ptr[i];
        if (l->file % 2 == 0) {
            index_add(&originals, a, key_in_pair(a, l, is_shared), &l->line);
        }
    }
    for (ptrdiff_t i = 0; i < lines->len; i++) {
        const robust_line *l = &lines->ptr[i];
        str kind = l->line.category.len > 0 ? l->line.category : kinds[l->file];
        if (l->file % 2 == 1) {
            str run = is_shared ? l->line.run : S("all");
            *vec_push(a, pairs_of(&pairs, run, a)) = (line_pair){
                .before = index_find(&originals, key_in_pair(a, l, is_shared)),
                .after = &l->line,
                .kind = kind,
                .id = arena_printf(a, "%.*s %.*s", STR_ARG(kinds[l->file]),
                                   STR_ARG(l->line.id)),
            };
        }
    }
    return add_runs(out, &pairs, like, a, d, scratch);
}
