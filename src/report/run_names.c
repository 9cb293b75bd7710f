/*
 * run_names.c - see run_names.h.
 *
 * Method      A line of a case begins with its run, which is all that is read
 *             of it.
 */
#include "report/run_names.h"

#include "base/apart.h"
#include "base/json_pull.h"

static ptrdiff_t find_run(const run_names *n, ptrdiff_t journal, str run)
{
    for (ptrdiff_t i = 0; i < n->runs.len; i++) {
        const run_name *r = &n->runs.ptr[i];
        if (r->journal == journal && str_equal(r->run, run)) {
            return i;
        }
    }
    return -1;
}

// Empty when the line is none of a case.
static str run_of_line(str line, arena *scratch)
{
    json_pull s = json_pull_begin(line);
    json_pull_open(&s, '{');
    while (json_pull_next(&s, '}')) {
        str key = json_pull_key(&s, scratch);
        char next = json_pull_peek(&s);
        if (str_equal(key, S("run")) && next == '"') {
            return json_pull_scalar(&s, scratch);
        }
        json_pull_skip(&s);
    }
    return (str){0};
}

void run_names_add(run_names *n, arena *a, str file, str text, arena scratch)
{
    ptrdiff_t journal = n->n_journals++;
    for (str rest = text; rest.len > 0;) {
        arena local = scratch;
        str run = run_of_line(str_cut(&rest, '\n'), &local);
        if (run.len > 0 && find_run(n, journal, run) < 0) {
            run = arena_str(a, run);
            *vec_push(a, &n->runs) = (run_name){journal, run};
            *vec_push(a, &n->names) = run;
            *vec_push(a, &n->files) = file;
        }
    }
}

void run_names_end(run_names *n, arena *a, arena scratch)
{
    names_tell_apart(n->names.ptr, n->files.ptr, n->runs.len, a, scratch);
}

str run_names_at(const run_names *n, ptrdiff_t journal, str run)
{
    ptrdiff_t i = find_run(n, journal, run);
    return i < 0 ? run : n->names.ptr[i];
}
