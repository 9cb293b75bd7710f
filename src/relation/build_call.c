/*
 * build_call.c - literals and calls as terms.
 *
 * A call is taken for a function of its arguments: engines that are asked
 * twice at one time answer alike, but for those of which the table says more.
 */
#include "relation/build_internal.h"
#include "relation/relation_select.h"
#include "sql/function.h"
#include "sql/semantics.h"

bool build_may_fail(str name)
{
    return str_starts(name, S("->"))
           || (name.len >= 4 && str_equal_fold(str_sub(name, 0, 4), S("json")));
}

static const term *opaque(builder *b, str word)
{
    return term_make(b->p, (term){.kind = TERM_OPAQUE, .text = word});
}

// 'it''s' as it's; what may hold other escapes is left as it is written.
static const term *string_term(builder *b, const ast *n)
{
    str s = n->text;
    char quote = s.len >= 2 ? s.ptr[0] : '\0';
    bool is_plain = (quote == '\'' || quote == '"') && s.ptr[s.len - 1] == quote
                    && (b->p->bound->dialect == DIALECT_SQLITE
                        || str_find(s, S("\\"), 0) < 0);
    return is_plain ? term_text(b->p, ast_string(b->p->a, n)) : opaque(b, s);
}

static const term *number_term(builder *b, str s)
{
    int64_t n = 0;
    double d = 0;
    if (s.len > 0 && is_digit(s.ptr[0]) && str_to_int(s, &n)) {
        return term_integer(b->p, n);
    }
    bool is_decimal = str_find_fold(s, S("x"), 0) < 0
                      && str_find(s, S("_"), 0) < 0 && str_to_double(s, &d);
    // Where it is a decimal, all of its digits count.
    bool is_long = s.len > 16 && prover_is_typed(b->p);
    if (!is_decimal || is_long) {
        return opaque(b, s);
    }
    return term_real(b->p, d);
}

const term *build_literal(builder *b, const ast *n)
{
    switch (n->kind) {
    case AST_NUMBER: return number_term(b, n->text);
    case AST_STRING: return string_term(b, n);
    case AST_NULL: return term_null(b->p);
    case AST_TRUE: return term_boolean(b->p, true);
    case AST_FALSE: return term_boolean(b->p, false);
    case AST_WORD: return opaque(b, n->text);
    case AST_TYPED: {
        const term *value =
            n->kid[TYPED_VALUE] ? build_term(b, n->kid[TYPED_VALUE]) : NULL;
        return value ? term_call(b->p, n->text, &value, 1)
                     : prover_stop(b->p, S("a literal of unknown form"));
    }
    case AST_COLLATE: return prover_stop(b->p, S("COLLATE"));
    case AST_PARAMETER: return prover_stop(b->p, S("a parameter"));
    case AST_QUANTIFIED: return prover_stop(b->p, S("ANY or ALL"));
    default: return prover_stop(b->p, S("an expression of a rare kind"));
    }
}

static const term *list_term(builder *b, const term_list *l)
{
    return term_make(
        b->p, (term){.kind = TERM_LIST, .n = (int32_t)l->len, .args = l->ptr});
}

// The keys of an OVER, each with its direction.
static const term *window_keys(builder *b, const ast *list)
{
    term_list keys = {0};
    for (const ast *n = list; n; n = n->next) {
        const term *t = build_term(b, ast_unaliased(n));
        bool is_typed = prover_is_typed(b->p);
        if (!t) {
            return NULL;
        }
        if (is_typed && n->kind == AST_SORT
            && (n->flags & (AST_FLAG_NULLS_FIRST | AST_FLAG_NULLS_LAST))) {
            return prover_stop(b->p, S("NULLS FIRST in a window"));
        }
        sort_term key = build_sort(b, n, t);
        bool is_other = !is_typed && key.nulls_last != key.is_descending;
        term_list_push(b->p, &keys, key.term);
        term_list_push(b->p, &keys,
                       term_integer(b->p, key.is_descending + 2 * is_other));
    }
    return list_term(b, &keys);
}

static void add_bound(buf *text, const ast *n)
{
    const ast *by = n ? n->kid[BOUND_EXPR] : NULL;
    str word = ast_form_word(AST_BOUND, n ? n->form : BOUND_FORM_CURRENT);
    if (by) {
        buf_add(text, by->text);
        buf_char(text, ' ');
    }
    buf_add(text, word);
}

// The frame of a window, as it is added to the name of the function; empty:
// what it says is so without it. NULL: it is a rare one.
static const str *frame_of(builder *b,
                           const ast *frame,
                           bool has_order,
                           str name)
{
    const ast *start = frame->kid[FRAME_START];
    const ast *end = frame->kid[FRAME_END];
    const ast *from = start->kid[BOUND_EXPR];
    const ast *to = end ? end->kid[BOUND_EXPR] : NULL;
    bool to_row = !end || end->form == BOUND_FORM_CURRENT;
    bool to_last = end && end->form == BOUND_FORM_LAST;
    bool is_default = start->form == BOUND_FORM_FIRST
                      && ((to_row && frame->form != FRAME_FORM_ROWS)
                          || (to_last && !has_order));
    bool is_idle = !from && !to && function_of(name)->is_frameless;
    bool is_rare = (from && from->kind != AST_NUMBER)
                   || (to && to->kind != AST_NUMBER)
                   || (frame->text.len > 0
                       && !str_equal_fold(frame->text, S("no others")));
    buf text = buf_new(b->p->a);
    buf_char(&text, ' ');
    buf_add(&text, ast_form_word(AST_FRAME, frame->form));
    buf_add(&text, S(" BETWEEN "));
    add_bound(&text, start);
    buf_add(&text, S(" AND "));
    add_bound(&text, end);
    str *out = arena_new(b->p->a, str, 1);
    *out = is_default || is_idle ? S("") : buf_str(&text);
    return is_rare ? NULL : out;
}

static const term *window_term(builder *b, const ast *over, const term *call)
{
    const ast *window = select_window(b->scope->bound->node, over);
    const ast *frame = window ? window->kid[WINDOW_FRAME] : NULL;
    const ast *order = window ? window->kid[WINDOW_ORDER] : NULL;
    const str *tail = frame ? frame_of(b, frame, order, call->text) : NULL;
    if (!window || window->kid[WINDOW_BASE] || (frame && !tail)) {
        return prover_stop(b->p, S("a window of a rare kind"));
    }
    if (tail && tail->len > 0) {
        term framed = *call;
        framed.text = arena_printf(b->p->a, "%.*s%.*s", STR_ARG(call->text),
                                   STR_ARG(*tail));
        call = term_make(b->p, framed);
    }
    term_list partition = {0};
    for (const ast *n = window->kid[WINDOW_PARTITION]; n; n = n->next) {
        const term *t = build_term(b, n);
        if (!t) {
            return NULL;
        }
        term_list_add(b->p, &partition, term_key(b->p, t));
    }
    const term *keys = window_keys(b, order);
    if (!keys) {
        return NULL;
    }
    const term *args[] = {call, list_term(b, &partition), keys};
    return term_make(b->p, (term){.kind = TERM_WINDOW, .n = 3, .args = args});
}

// AGG(x) FILTER (WHERE p): the arguments with p in them. MIN, MAX and DISTINCT
// compare by the collation of x as before.
static bool take_filter(builder *b, const ast *n, term_list *args)
{
    const term *when = build_term(b, n->kid[CALL_FILTER]);
    if (!when || !function_of(n->text)->skips_null || args->len > 1
        || !local_allowed(b->p, LOCAL_FILTER_CASE)) {
        prover_stop(b->p, S("FILTER of a rare kind"));
        return false;
    }
    if (args->len == 0) {
        term_list_push(b->p, args, term_integer(b->p, 1));
    }
    const term *x = args->ptr[0];
    const term *branches[] = {when, x};
    args->ptr[0] = term_as(b->p, term_case(b->p, branches, 2), term_type_of(x));
    return true;
}

// CASE of small numbers: no sum of them grows too large.
static bool is_small_case(const term *t)
{
    enum {
        SMALL = 1 << 20
    };
    bool small = t->kind == TERM_CASE;
    for (int32_t i = 1; small && i < t->n; i += 2) {
        const term *other = t->n % 2 == 1 ? t->args[t->n - 1] : t->args[i];
        small = t->args[i]->kind == TERM_INTEGER && t->args[i]->number < SMALL
                && t->args[i]->number > -SMALL && other->kind == TERM_INTEGER
                && other->number < SMALL && other->number > -SMALL;
    }
    return small;
}

// SUM of whole numbers and ABS of the least of them fail; REAL ones become
// infinite.
static bool may_overflow(str name, const term_list *args)
{
    bool fails = str_among_fold(name, "sum abs");
    return fails && args->len == 1
           && term_affinity(args->ptr[0]) != AFFINITY_REAL
           && !term_is_truth(args->ptr[0]) && !is_small_case(args->ptr[0]);
}

// NTH_VALUE(x, 1) is FIRST_VALUE(x), and LAG(x, 1, NULL) is LAG(x).
static const term *window_call(prover *p,
                               const ast *n,
                               const term_list *args,
                               bool is_distinct)
{
    bool shifts = str_among_fold(n->text, "lag lead");
    bool is_nth = str_equal_fold(n->text, S("nth_value"));
    ptrdiff_t len = args->len;
    len -= shifts && len == 3 && args->ptr[2]->kind == TERM_NULL;
    bool is_one =
        (shifts || is_nth) && len == 2 && term_is_number(args->ptr[1], 1);
    str name = is_one && is_nth ? S("first_value") : n->text;
    return term_make(p, (term){.kind = TERM_CALL,
                               .text = term_call(p, name, NULL, 0)->text,
                               .flag = is_distinct,
                               .n = (int32_t)len - is_one,
                               .args = args->ptr});
}

// like(p, x) is x LIKE p
static bool is_swapped(str name)
{
    return str_among_fold(name, "like glob regexp match");
}

// Of which blocks the columns in the arguments of an aggregate are.
typedef struct reach {
    const builder *b;
    bool is_here;
    bool is_outside;
} reach;

static bool note_reach(void *context, const ast *n)
{
    reach *r = context;
    const bound_ref *ref = bind_ref(r->b->p->bound, n);
    const build_scope *here = r->b->scope;
    for (const build_scope *at = here; ref && ref->source && at;
         at = at->outer) {
        bool is_it = at->bound == ref->source->block;
        r->is_here |= is_it && at == here;
        r->is_outside |= is_it && at != here;
    }
    return true;
}

// Whether an aggregate is of a query further out: SUM of its columns alone.
static bool is_of_outer(const builder *b, const ast *call)
{
    reach r = {.b = b};
    for (const ast *i = call->kid[CALL_ARGS]; i; i = i->next) {
        ast_walk(i, note_reach, &r);
    }
    return r.is_outside && !r.is_here;
}

const term *build_call(builder *b, const ast *n)
{
    prover *p = b->p;
    const sql_function *f = function_of(n->text);
    term_list args = {0};
    if (n->kid[CALL_ORDER] || n->kid[CALL_LIMIT] || n->kid[CALL_WITHIN]
        || n->kid[CALL_PATH]) {
        return prover_stop(p, S("a call with an order of its own"));
    }
    // Which index is read, so in which order rows come, depends on all that is
    // asked of the table.
    if (f->collects) {
        return prover_stop(p, S("the order of rows in GROUP_CONCAT"));
    }
    if (f->random || f->tells_state) {
        return prover_stop(p, S("a random function"));
    }
    if (build_may_fail(n->text)) {
        return prover_stop(p, S("JSON, which may be malformed"));
    }
    const ast *first = n->kid[CALL_ARGS];
    bool is_star = first && first->kind == AST_STAR;
    if (!build_terms(b, is_star ? first->next : first, &args)
        || (n->kid[CALL_FILTER] && !take_filter(b, n, &args))) {
        return NULL;
    }
    if (p->bound->dialect == DIALECT_SQLITE && is_swapped(n->text)
        && args.len >= 2) {
        const term *pattern = args.ptr[0];
        args.ptr[0] = args.ptr[1];
        args.ptr[1] = pattern;
    }
    p->n_averages += str_equal_fold(n->text, S("avg"));
    bool may_fail = may_overflow(n->text, &args);
    p->n_failing += may_fail;
    p->n_sums +=
        may_fail && str_equal_fold(n->text, S("sum")) && !n->kid[CALL_OVER];
    bool is_distinct = (n->flags & AST_FLAG_DISTINCT) != 0;
    int32_t count = (int32_t)args.len;
    if (n->kid[CALL_OVER]) {
        return window_term(b, n->kid[CALL_OVER],
                           window_call(b->p, n, &args, is_distinct));
    }
    if (!dialect_aggregates(p->bound->dialect, n)) {
        return term_call(p, n->text, args.ptr, count);
    }
    if (is_of_outer(b, n)) {
        return prover_stop(p, S("an aggregate of the query around it"));
    }
    const term *t = term_aggregate(p, n->text, is_distinct, args.ptr, count);
    if (f->compares) {
        // A FILTER that no row of a group passes chooses in a way of its own.
        term_list_push(p, &p->extremes, n->kid[CALL_FILTER] ? term_null(p) : t);
    }
    return t;
}
