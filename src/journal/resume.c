/*
 * resume.c - see resume.h.
 *
 * Method      The journal names cases by id. The ids of the plan's cases are
 *             hashed and sorted once (16 bytes a case); each line then costs
 *             one search. 64 bits of hash: among a million cases a collision
 *             is a matter of one run in 30 million, and would repeat a case, as
 *             an id does that several cases have: whose line it is cannot be
 *             told.
 */
#include "journal/resume.h"

#include "base/order.h"
#include "journal/journal_head.h"

#include <assert.h>
#include <stdlib.h>

typedef struct case_id {
    uint64_t hash;
    int32_t case_no;
} case_id;

ORDER(by_hash, case_id, ORDER_UP(hash))

static case_id *hash_ids(const plan *p, arena *a, arena scratch)
{
    case_id *ids = arena_new(a, case_id, p->n_cases);
    for (ptrdiff_t i = 0; i < p->n_cases; i++) {
        arena local = scratch;
        plan_case c = plan_case_at(p, p->cases[i], &local);
        ids[i] = (case_id){hash64(c.gold.id), p->cases[i]};
    }
    qsort(ids, (size_t)p->n_cases, sizeof *ids, by_hash);
    return ids;
}

static int32_t find_case(const case_id *ids, ptrdiff_t n, str id)
{
    case_id key = {.hash = hash64(id)};
    const case_id *hit = bsearch(&key, ids, (size_t)n, sizeof *ids, by_hash);
    bool is_shared = hit
                     && ((hit > ids && hit[-1].hash == key.hash)
                         || (hit + 1 < ids + n && hit[1].hash == key.hash));
    return hit && !is_shared ? hit->case_no : -1;
}

// The case of the line when it is the line of run number `run`, else -1.
static int32_t case_of_line(const plan *p,
                            const case_id *ids,
                            ptrdiff_t run,
                            str line,
                            arena scratch)
{
    assert(run >= 0 && run < p->n_runs);
    const json *j = json_parse(&scratch, line, NULL);
    if (!str_equal(json_get_text(j, S("run")), p->runs[run].name)
        || !json_get(j, S("verdicts"))) {
        return -1;
    }
    return find_case(ids, p->n_cases, json_get_text(j, S("id")));
}

typedef vec_of(journal_entry) entry_list;

// Collects the whole cases among the lines after the head.
static void read_cases(resume *r,
                       arena *a,
                       const file_map *f,
                       const plan *p,
                       const case_id *ids,
                       arena scratch)
{
    entry_list found = {0};
    ptrdiff_t at = r->past.header_size;
    ptrdiff_t start = at;
    ptrdiff_t run = 0;
    int32_t current = -1;
    while (at < f->bytes.len) {
        ptrdiff_t end = str_find(f->bytes, S("\n"), at);
        if (end < 0) {
            break;
        }
        int32_t c =
            case_of_line(p, ids, run, str_sub(f->bytes, at, end), scratch);
        bool fits = c >= 0 && (run == 0 || c == current) && !r->is_done[c];
        if (!fits && run > 0) {
            // Perhaps the first line of the next case.
            run = 0;
            r->past.has_rest = true;
            continue;
        }
        if (fits) {
            start = run == 0 ? at : start;
            current = c;
            run++;
        }
        r->past.has_rest |= !fits;
        at = end + 1;
        if (run == p->n_runs) {
            *vec_push(a, &found) =
                (journal_entry){start, (int32_t)(at - start), current};
            r->is_done[current] = true;
            run = 0;
        }
    }
    r->past = (journal_past){
        .header_size = r->past.header_size,
        .entries = found.ptr,
        .n_entries = found.len,
        .has_rest = r->past.has_rest || run > 0 || at < f->bytes.len,
        .size = at,
    };
    r->n_done = found.len;
}

bool resume_read(resume *r,
                 arena *a,
                 str path,
                 str head,
                 const plan *p,
                 diag *d,
                 arena scratch)
{
    *r = (resume){0};
    r->is_done = arena_new(a, bool, p->gold.entries.len);
    file_map f;
    if (!file_open(&f, a, path, d)) {
        return false;
    }
    str rest = f.bytes;
    str old = str_cut(&rest, '\n');
    str differs = journal_head_difference(a, head, old, scratch);
    if (differs.len > 0) {
        diag_add(d, (diag_place){.file = path, .line = 1},
                 "cannot resume: '%.*s' is not the same as in the journal's "
                 "run%s; use another --out, or run without --resume",
                 STR_ARG(differs),
                 str_among(differs, "gold runs")
                     ? " (the file has changed, or an older assay, which saw "
                       "YAML and tables by column otherwise, wrote the journal)"
                     : "");
        file_close(&f);
        return false;
    }
    r->past.header_size = old.len + 1;
    const case_id *ids = hash_ids(p, a, scratch);
    read_cases(r, a, &f, p, ids, scratch);
    file_close(&f);
    return true;
}

// Of the same run at another time.
static bool is_same_run(str differs)
{
    return differs.len == 0 || str_equal(differs, S("clock"));
}

// Why what the file holds must not be lost; empty: it may be.
static str loss(const file_map *f,
                str head,
                const plan *p,
                arena *a,
                arena scratch)
{
    str rest = f->bytes;
    str old = str_cut(&rest, '\n');
    str differs = journal_head_difference(a, head, old, scratch);
    // A lint is made whole again.
    if (f->bytes.len == 0 || (p->n_runs == 0 && is_same_run(differs))) {
        return (str){0};
    }
    if (!is_same_run(differs)) {
        return arena_printf(
            a,
            "it contains another run, whose '%.*s' differs; use another --out",
            STR_ARG(differs));
    }
    resume r = {.is_done = arena_new(a, bool, p->gold.entries.len)};
    r.past.header_size = old.len + 1;
    read_cases(&r, a, f, p, hash_ids(p, a, scratch), scratch);
    return r.n_done == p->n_cases
               ? (str){0}
               : arena_printf(a,
                              "it contains %td of the %td cases of this run; "
                              "continue with --resume",
                              r.n_done, p->n_cases);
}

bool resume_may_replace(arena *a,
                        str path,
                        str head,
                        const plan *p,
                        diag *d,
                        arena scratch)
{
    file_map f;
    const char *name = arena_cstr(a, path);
    if (path.len == 0 || str_equal(path, S("-")) || !file_exists(name)
        || file_is_special(name)) {
        return true;
    }
    if (!file_open(&f, a, path, d)) {
        return false;
    }
    str why = loss(&f, head, p, a, scratch);
    if (why.len > 0) {
        diag_add(d, (diag_place){.file = path},
                 "%.*s, or overwrite it with --force", STR_ARG(why));
    }
    file_close(&f);
    return why.len == 0;
}
