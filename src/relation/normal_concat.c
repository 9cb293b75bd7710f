/*
 * normal_concat.c - texts put together and compared with a literal; see
 * normal.h.
 *
 * Method      x || ' ' || y is 'Ada Byron' where x is 'Ada' and y 'Byron', and
 *             nowhere else: what stands between them is once in the literal,
 *             so there is one place to cut it. Where it is there twice, or not
 *             at all, the condition is left as it is.
 */
#include "base/utf8.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"

#include <assert.h>

bool term_is_text(prover *p, const term *t)
{
    const schema_column *c = term_declared(t);
    return c && c->affinity == AFFINITY_TEXT && prover_assumes_type(p, c);
}

static void add_parts(prover *p, term_list *parts, const term *t)
{
    t = term_bare(t);
    if (t->kind == TERM_CONCAT) {
        add_parts(p, parts, t->args[0]);
        add_parts(p, parts, t->args[1]);
        return;
    }
    term_list_push(p, parts, t);
}

static bool is_once(str s, str part, ptrdiff_t *at)
{
    *at = part.len > 0 ? str_find(s, part, 0) : -1;
    return *at >= 0 && str_find(s, part, *at + 1) < 0;
}

// Columns and literals in turn, a column first and last.
static const term *cut(prover *p, const term_list *parts, str rest)
{
    assert(parts->len % 2 == 1);
    term_list all = {0};
    for (ptrdiff_t i = 0; i < parts->len; i += 2) {
        bool is_last = i + 1 == parts->len;
        ptrdiff_t at = rest.len;
        // They are equal by their bytes.
        if (!term_is_binary(parts->ptr[i]) || !term_is_text(p, parts->ptr[i])
            || term_declared(parts->ptr[i])->kind != KIND_TEXT) {
            return NULL;
        }
        if (!is_last
            && (parts->ptr[i + 1]->kind != TERM_TEXT
                || !is_once(rest, parts->ptr[i + 1]->text, &at))) {
            return NULL;
        }
        term_list_push(p, &all,
                       term_compare(p, TERM_EQUAL, parts->ptr[i],
                                    term_text(p, str_sub(rest, 0, at))));
        rest =
            is_last ? rest : str_skip(rest, at + parts->ptr[i + 1]->text.len);
    }
    return term_all(p, TERM_AND, all.ptr, (int32_t)all.len);
}

const term *term_cut_concat(prover *p, const term *t)
{
    for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
        const term *whole = t->args[1 - k];
        if (t->args[k]->kind != TERM_CONCAT || whole->kind != TERM_TEXT
            || prover_is_typed(p)) {
            continue;
        }
        term_list parts = {0};
        add_parts(p, &parts, t->args[k]);
        const term *all = parts.len >= 3 && parts.len % 2 == 1
                              ? cut(p, &parts, whole->text)
                              : NULL;
        if (all && local_allowed(p, LOCAL_CONCAT_CUT)) {
            return all;
        }
    }
    return t;
}

// An integer or a text as text; an empty one: it is neither.
static str literal_text(prover *p, const term *t)
{
    return t->kind == TERM_INTEGER
               ? arena_printf(p->a, "%lld", (long long)t->number)
           : t->kind == TERM_TEXT ? t->text
                                  : S("");
}

// Literals that stand side by side become one, whatever was put together first;
// NULL: there are none.
static const term *put_together(prover *p, const term *a, const term *b)
{
    str left = literal_text(p, a);
    str right = literal_text(p, b);
    bool is_behind = right.len > 0 && a->kind == TERM_CONCAT
                     && literal_text(p, a->args[1]).len > 0;
    bool changes =
        b->kind == TERM_CONCAT || is_behind || (left.len > 0 && right.len > 0);
    if (!changes || prover_is_typed(p) || !local_allowed(p, LOCAL_ARITH)) {
        return NULL;
    }
    return b->kind == TERM_CONCAT
               ? term_concat(p, term_concat(p, a, b->args[0]), b->args[1])
           : is_behind
               ? term_concat(p, a->args[0], term_concat(p, a->args[1], b))
               : term_text(p, arena_printf(p->a, "%.*s%.*s", STR_ARG(left),
                                           STR_ARG(right)));
}

const term *term_concat(prover *p, const term *a, const term *b)
{
    a = term_bare(a);
    b = term_bare(b);
    const term *one = put_together(p, a, b);
    return one ? one : term_of(p, TERM_CONCAT, a, b);
}

// What is put behind the literal at the beginning; NULL: a literal is not there
// or is all that is put together.
static const term *without_first(prover *p, const term *t, str *first)
{
    if (t->kind != TERM_CONCAT) {
        return NULL;
    }
    const term *head = t->args[0];
    const term *rest = without_first(p, head, first);
    *first = head->kind == TERM_TEXT ? head->text : *first;
    return rest                      ? term_concat(p, rest, t->args[1])
           : head->kind == TERM_TEXT ? t->args[1]
                                     : NULL;
}

const term *term_behind(prover *p, const term *call)
{
    str first = {0};
    // SQLite's SUBSTR stops at a NUL, what a CONCAT_WS is does not.
    bool may =
        call->args[1]->kind == TERM_INTEGER && p->elsewhere != DIALECT_SQLITE;
    const term *rest = may ? without_first(p, call->args[0], &first) : NULL;
    bool is_all = rest && rest->kind == TERM_CONCAT && utf8_is_ascii(first)
                  && call->args[1]->number == first.len + 1;
    return is_all && local_allowed(p, LOCAL_ARITH) ? rest : NULL;
}
