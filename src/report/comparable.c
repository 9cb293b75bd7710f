/*
 * comparable.c - compares the first lines of two journals, member by member.
 *
 * Method      A table says which members bear on which verdicts. Of files only
 *             the hash counts: they may lie in different places. Of databases
 *             those that both runs used are compared; a run over part of the
 *             cases uses fewer.
 */
#include "report/comparable.h"

typedef enum member_part {
    WHOLE,   // the value as it is written
    HASH,    // its member "hash"
    COMMON,  // an object: the members that both have
} member_part;

static const struct {
    str key;
    member_part part;
    bool of_suite;
    bool of_pragmatic;
} members[] = {
    {.key = S_INIT("gold"), .part = HASH},
    {.key = S_INIT("gold_results")},
    {.key = S_INIT("gold_db")},
    {.key = S_INIT("databases"), .part = COMMON},
    {.key = S_INIT("tables"), .part = HASH},
    {.key = S_INIT("ordered")},
    {.key = S_INIT("distinct")},
    {.key = S_INIT("plug_values")},
    {.key = S_INIT("world")},
    {.key = S_INIT("same_column_order")},
    {.key = S_INIT("extra_rows")},
    {.key = S_INIT("tolerance")},
    {.key = S_INIT("text_as_sql_eval")},
    {.key = S_INIT("limits")},
    {.key = S_INIT("suite"), .of_suite = true},
    {.key = S_INIT("norm"), .of_pragmatic = true},
    {.key = S_INIT("passed_over"), .of_pragmatic = true},
    {.key = S_INIT("left_to_ask"), .of_pragmatic = true},
};

static str value_text(arena *a, const json *j)
{
    return j ? json_written(a, j) : S("nothing");
}

static bool same_value(const json *one,
                       const json *two,
                       str what,
                       const str files[2],
                       diag *d,
                       arena scratch)
{
    str x = value_text(&scratch, one);
    str y = value_text(&scratch, two);
    return str_equal(x, y)
           || diag_add(d, (diag_place){0},
                       "the runs differ in '%.*s': %.*s in '%.*s', %.*s in "
                       "'%.*s'",
                       STR_ARG(what), STR_ARG(x), STR_ARG(files[0]), STR_ARG(y),
                       STR_ARG(files[1]));
}

static bool same_common(const json *one,
                        const json *two,
                        str what,
                        const str files[2],
                        diag *d,
                        arena scratch)
{
    for (const json *m = one ? one->child : NULL; m; m = m->next) {
        const json *other = json_get(two, m->key);
        str name = arena_printf(&scratch, "%.*s: %.*s", STR_ARG(what),
                                STR_ARG(m->key));
        if (other && !same_value(m, other, name, files, d, scratch)) {
            return false;
        }
    }
    return true;
}

static bool same_heads(const journal_file *a,
                       const journal_file *b,
                       comparable_need need,
                       diag *d,
                       arena scratch)
{
    const str files[2] = {a->file.path, b->file.path};
    for (ptrdiff_t i = 0; i < countof(members); i++) {
        if ((members[i].of_suite && !need.suite)
            || (members[i].of_pragmatic && !need.pragmatic)) {
            continue;
        }
        str key = members[i].key;
        const json *one = json_get(a->head, key);
        const json *two = json_get(b->head, key);
        bool is_hash = members[i].part == HASH;
        one = is_hash ? json_get(one, S("hash")) : one;
        two = is_hash ? json_get(two, S("hash")) : two;
        bool same = members[i].part == COMMON
                        ? same_common(one, two, key, files, d, scratch)
                        : same_value(one, two, key, files, d, scratch);
        if (!same) {
            return false;
        }
    }
    return true;
}

bool comparable_journals(const journals *all,
                         comparable_need need,
                         diag *d,
                         arena scratch)
{
    for (ptrdiff_t i = 0; i < all->files.len; i++) {
        const journal_file *it = &all->files.ptr[i];
        if (!it->head) {
            return diag_add(d, (diag_place){.file = it->file.path},
                            "no first line that says how the run was made");
        }
        if (!same_heads(&all->files.ptr[0], it, need, d, scratch)) {
            return false;
        }
    }
    return true;
}
