/*
 * merge.c - see merge.h.
 *
 * Method      Every line is read once to see that it is whole, and kept as a
 *             place in its file. Lines know their position in the file of
 *             cases, so that sorting puts them in the order of the whole run,
 *             whatever order they have in a shard that was killed. A head says
 *             how many cases its shard has: what is cut off at the end of a
 *             line is found, too.
 *
 * Cost        40 bytes a line, and the files as mapped memory that the system
 *             may drop.
 */
#include "journal/merge.h"

#include "base/order.h"
#include "journal/merge_head.h"
#include "report/case_line.h"

#include <assert.h>
#include <stdlib.h>

// The pages of files may go from memory whenever so many lines were read.
enum {
    OFTEN = 1 << 13
};

static const str again = S_INIT("run this shard again");

/* Reading. */

static bool no_shard(diag *d, diag_place place, const char *why)
{
    return diag_add(d, place, "not a shard of a run: %s", why);
}

// Of cases, which are numbered by an int32.
static bool is_count(const json *j)
{
    return j && j->kind == JSON_KIND_INT && j->i >= 0 && j->i <= INT32_MAX;
}

static bool begin_part(merge *m, str line, diag_place place, diag *d)
{
    const json *head = json_parse(m->a, line, NULL);
    merge_part part = {.place = place, .head = head, .end = place.line};
    const json *n_cases = json_get(head, S("shard_cases"));
    const json *n_all = json_get(head, S("all_cases"));
    if (!head) {
        return no_shard(d, place, "its first line is cut off");
    }
    if (!shard_parse(&part.shard, json_get_text(head, S("shard")))) {
        return no_shard(d, place, "it was made without --shard");
    }
    if (!is_count(n_cases) || !is_count(n_all)) {
        return no_shard(d, place,
                        "it does not say how many cases it has; make it again "
                        "with this version");
    }
    const json *runs = json_get(head, S("runs"));
    bool has_runs = runs && runs->kind == JSON_KIND_OBJECT && runs->n > 0;
    bool is_score = str_equal(json_get_text(head, S("command")), S("score"));
    part.n_cases = n_cases->i;
    part.n_all = n_all->i;
    part.per_case = has_runs && is_score ? runs->n : 1;
    *vec_push(m->a, &m->parts) = part;
    return true;
}

static bool add_line(merge *m, str line, diag_place place, diag *d, arena a)
{
    assert(m->parts.len > 0);  // read_file() has seen a head
    merge_part *part = &m->parts.ptr[m->parts.len - 1];
    merge_line l = {.part = (int32_t)(m->parts.len - 1)};
    case_line ignored;
    if (!shard_unmark(line, &l.position, &l.rest)
        || case_line_read(&ignored, &a, line) == CASE_LINE_BROKEN) {
        return diag_add(d, place, "not a line of a shard");
    }
    *vec_push(m->a, &m->lines) = l;
    part->n_lines++;
    part->end = place.line;
    return true;
}

static bool read_file(merge *m, str path, diag *d, arena scratch)
{
    file_map file;
    if (!file_open(&file, m->a, path, d)) {
        return false;
    }
    *vec_push(m->a, &m->files) = file;
    ptrdiff_t n_before = m->parts.len;
    diag_place place = {.file = path};
    for (str line, rest = file.bytes; file_line(&file, &rest, &line);) {
        bool is_cut = line.ptr + line.len == file.bytes.ptr + file.bytes.len;
        place.line++;
        if (str_starts(line, S("{\"journal\":"))) {
            if (!begin_part(m, line, place, d)) {
                return false;
            }
        } else if (m->parts.len == n_before) {
            return no_shard(d, place, "it does not begin as a journal does");
        } else if (is_cut) {
            return diag_add(d, place, "incomplete: the line is cut off; %.*s",
                            STR_ARG(again));
        } else if (!add_line(m, line, place, d, scratch)) {
            return false;
        }
    }
    return m->parts.len > n_before
           || no_shard(d, (diag_place){.file = path}, "it is empty");
}

/* All there, once. */

// Shards that are there twice: as they were read.
ORDER(by_index,
      merge_part *,
      ORDER_OF((*a)->shard.index, (*b)->shard.index),
      ORDER_OF(*a, *b))

// "1, 4-6": the numbers from `from` to before `to`.
static void add_range(buf *b, int64_t from, int64_t to)
{
    if (from < to) {
        buf_printf(b, "%s%lld", b->len > 0 ? ", " : "", (long long)from);
    }
    if (from + 1 < to) {
        buf_printf(b, "-%lld", (long long)(to - 1));
    }
}

// Parts in the order of their numbers: each is there once.
static bool are_all(const merge *m,
                    merge_part *const *parts,
                    diag *d,
                    arena scratch)
{
    buf missing = buf_new(&scratch);
    int64_t n = parts[0]->shard.n;
    int64_t next = 0;
    bool ok = true;
    for (ptrdiff_t i = 0; i < m->parts.len; i++) {
        const merge_part *p = parts[i];
        if (p->shard.index < next) {
            ok = diag_add(d, p->place,
                          "shard %lld/%lld is there twice: also in '%.*s'",
                          (long long)p->shard.index, (long long)n,
                          STR_ARG(parts[i - 1]->place.file));
            continue;
        }
        add_range(&missing, next, p->shard.index);
        next = p->shard.index + 1;
    }
    add_range(&missing, next, n);
    return missing.len == 0
               ? ok
               : diag_add(d, (diag_place){0}, "missing of %lld shards: %.*s",
                          (long long)n, STR_ARG(buf_str(&missing)));
}

static bool have_one_count(const merge *m, diag *d)
{
    const merge_part *first = &m->parts.ptr[0];
    for (ptrdiff_t i = 1; i < m->parts.len; i++) {
        const merge_part *p = &m->parts.ptr[i];
        if (p->shard.n != first->shard.n) {
            return diag_add(d, p->place,
                            "of another run: shard %lld/%lld, and '%.*s' is "
                            "%lld/%lld",
                            (long long)p->shard.index, (long long)p->shard.n,
                            STR_ARG(first->place.file),
                            (long long)first->shard.index,
                            (long long)first->shard.n);
        }
    }
    return true;
}

static bool are_whole(const merge *m, diag *d)
{
    bool ok = true;
    for (ptrdiff_t i = 0; i < m->parts.len; i++) {
        const merge_part *p = &m->parts.ptr[i];
        diag_place place = {.file = p->place.file, .line = p->end};
        int64_t whole = p->n_cases * p->per_case;
        if (p->n_lines != whole) {
            ok = diag_add(d, place,
                          "incomplete: shard %lld/%lld has %lld lines here, of "
                          "%lld; %.*s",
                          (long long)p->shard.index, (long long)p->shard.n,
                          (long long)p->n_lines, (long long)whole,
                          STR_ARG(again));
        }
    }
    return ok;
}

// Lines of one case stand in the order in which they came.
ORDER(by_position,
      merge_line,
      ORDER_UP(position),
      ORDER_UP(part),
      ORDER_UP(rest.ptr))

// Every case has its lines, all in one shard.
static bool are_single(const merge *m, diag *d)
{
    for (ptrdiff_t i = 0, end = 0; i < m->lines.len; i = end) {
        const merge_line *first = &m->lines.ptr[i];
        const merge_part *p = &m->parts.ptr[first->part];
        while (end < m->lines.len
               && m->lines.ptr[end].position == first->position) {
            end++;
        }
        const merge_line *last = &m->lines.ptr[end - 1];
        if (last->part != first->part) {
            return diag_add(d, m->parts.ptr[last->part].place,
                            "the case at position %lld is also in '%.*s'",
                            (long long)first->position, STR_ARG(p->place.file));
        }
        if (end - i != p->per_case) {
            return diag_add(d, p->place,
                            "the case at position %lld has %td lines, not %td; "
                            "%.*s",
                            (long long)first->position, end - i, p->per_case,
                            STR_ARG(again));
        }
    }
    return true;
}

static bool is_one_run(merge *m, diag *d, arena scratch)
{
    ptrdiff_t n = m->parts.len;
    merge_part **parts = arena_new(&scratch, merge_part *, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        parts[i] = &m->parts.ptr[i];
    }
    qsort(parts, (size_t)n, sizeof *parts, by_index);
    if (!have_one_count(m, d) || !merge_heads(m, d, scratch)) {
        return false;
    }
    bool ok = are_all(m, parts, d, scratch);
    ok = are_whole(m, d) && ok;
    if (!ok) {
        return false;
    }
    if (m->lines.len > 0) {
        qsort(m->lines.ptr, (size_t)m->lines.len, sizeof *m->lines.ptr,
              by_position);
    }
    return are_single(m, d);
}

bool merge_open(merge *m,
                arena *a,
                const str *paths,
                ptrdiff_t n,
                diag *d,
                arena scratch)
{
    *m = (merge){.a = a};
    bool ok = true;
    for (ptrdiff_t i = 0; i < n; i++) {
        ok = read_file(m, paths[i], d, scratch) && ok;
    }
    return ok && is_one_run(m, d, scratch);
}

str merge_line_text(const merge *m, ptrdiff_t i, arena *a)
{
    assert(i >= 0 && i < m->lines.len);
    for (ptrdiff_t f = 0; i % OFTEN == 0 && f < m->files.len; f++) {
        file_forget(&m->files.ptr[f], m->files.ptr[f].bytes.len);
    }
    return arena_printf(a, "{%.*s\n", STR_ARG(m->lines.ptr[i].rest));
}

void merge_close(merge *m)
{
    for (ptrdiff_t i = 0; i < m->files.len; i++) {
        file_close(&m->files.ptr[i]);
    }
}
