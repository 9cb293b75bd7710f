/*
 * cell_text.c - JSON and other texts of servers as values.
 *
 * Method      JSON is parsed and written anew: members by key, of equal keys
 *             the last, whole numbers without a fraction. Longer texts, and
 *             what is no JSON, stay the server's own text.
 *
 * Invariant   JSON texts that a server counts as equal become equal bytes.
 *
 * Cost        Linear, but members of one object are sorted by insertion;
 *             LONGEST bounds that.
 */
#include "engine/cell_text.h"

#include "base/json.h"

value cell_other(str text, arena *a)
{
    return value_of_bytes(VALUE_OTHER, arena_str(a, text));
}

value cell_time(str text, arena *a)
{
    value v;
    return value_read_time(text, &v) ? v : cell_other(text, a);
}

value cell_real(str text, bool is_single, arena *a)
{
    double d = 0;
    return !str_to_double(text, &d) ? cell_other(text, a)
           : is_single              ? value_single(d)
                                    : value_real(d);
}

value cell_padded(str text, arena *a)
{
    while (str_ends(text, S(" "))) {
        text.len--;
    }
    return value_text(arena_str(a, text));
}

// Members of objects in the order of their keys; of equal keys the last stays.
static void sort_members(json *j)
{
    json *sorted = NULL;
    for (json *m = j->child, *next = NULL; m; m = next) {
        next = m->next;
        json **at = &sorted;
        while (*at && str_compare((*at)->key, m->key) < 0) {
            at = &(*at)->next;
        }
        bool is_same = *at && str_equal((*at)->key, m->key);
        m->next = is_same ? (*at)->next : *at;
        *at = m;
    }
    j->child = sorted;
}

static void canonicalize(json *j)
{
    if (j->kind == JSON_KIND_OBJECT) {
        sort_members(j);
    }
    if (j->kind == JSON_KIND_REAL && j->real > -1e15 && j->real < 1e15
        && j->real == (double)(int64_t)j->real) {
        j->kind = JSON_KIND_INT;
        j->i = (int64_t)j->real;
    }
    bool has_members =
        j->kind == JSON_KIND_OBJECT || j->kind == JSON_KIND_ARRAY;
    for (json *m = has_members ? j->child : NULL; m; m = m->next) {
        canonicalize(m);
    }
}

value cell_json(str text, arena *a)
{
    enum {
        LONGEST = 64 << 10  // longer ones are compared as text
    };
    json *j = text.len <= LONGEST ? json_parse(a, text, NULL) : NULL;
    if (!j) {
        return cell_other(text, a);
    }
    canonicalize(j);
    buf b = buf_new(a);
    json_add(&b, j);
    return cell_other(buf_str(&b), a);
}
