/*
 * form_term.c - terms as text; see form.h.
 *
 * What may be exchanged is sorted by its text, so that equal meaning in
 * another numbering is equal text.
 */
#include "prove/form.h"
#include "relation/normal.h"

#include <assert.h>

static const str kind_words[] = {
#define TERM(name, word) S_INIT(word),
#include "relation/term.def"
};

int form_sort(str *list, int n)
{
    str_sort(list, n);
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (kept == 0 || !str_equal(list[i], list[kept - 1])) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

void form_add(buf *out, const str *list, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_char(out, ' ');
        buf_add(out, list[i]);
    }
    buf_char(out, ')');
}

str *form_terms(prover *p, const term *const *list, ptrdiff_t n, int32_t first)
{
    str *texts = arena_new(p->a, str, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        texts[i] = form_term(p, list[i], first);
    }
    return texts;
}

static str column_text(prover *p, const term *t)
{
    const instance *i = t->source;
    if (p->forms_whole && !i->is_in_form) {
        prover_stop(p, S("a column of a table that is gone"));
    }
    if (i->classes && i->classes[t->column + 1]) {
        return i->classes[t->column + 1]->name;
    }
    if (i->items) {
        assert(t->column >= 0);  // a derived table has no rowid
        return arena_printf(p->a, "%d.%.*s", (int)i->number,
                            STR_ARG(i->items[t->column]));
    }
    if (!i->columns_of) {
        return arena_printf(p->a, "%d.@%d", (int)i->number, (int)t->column);
    }
    str name =
        t->column < 0 ? S("rowid") : i->columns_of->columns[t->column].name;
    return arena_printf(p->a, "%d.%.*s", (int)i->number, STR_ARG(name));
}

static str quoted(prover *p, str s)
{
    buf out = buf_new(p->a);
    buf_char(&out, '\'');
    for (ptrdiff_t i = 0; i < s.len; i++) {
        buf_char(&out, s.ptr[i]);
        if (s.ptr[i] == '\'') {
            buf_char(&out, '\'');
        }
    }
    buf_char(&out, '\'');
    return buf_str(&out);
}

static str leaf(prover *p, const term *t)
{
    switch (t->kind) {
    case TERM_INTEGER:
        return t->flag ? (t->number ? S("true") : S("false"))
                       : arena_printf(p->a, "%lld", (long long)t->number);
    case TERM_REAL: return t->text;
    case TERM_TEXT: return quoted(p, t->text);
    case TERM_OPAQUE: return arena_printf(p->a, "`%.*s`", STR_ARG(t->text));
    case TERM_COLUMN: return column_text(p, t);
    case TERM_OUTPUT: return arena_printf(p->a, "@%d", (int)t->column);
    default: return kind_words[t->kind];
    }
}

// From which argument on the order does not count, where each still does; -1:
// the order does.
static int sorted_from(const term *t)
{
    switch (t->kind) {
    case TERM_EQUAL:
    case TERM_UNEQUAL:
    case TERM_IS: return terms_exchange(t->args[0], t->args[1]) ? 0 : -1;
    case TERM_ADD:
    case TERM_MULTIPLY: return 0;
    case TERM_IN_LIST: return 1;
    default: return -1;
    }
}

static void add_head(buf *out, const term *t)
{
    buf_add(out, kind_words[t->kind]);
    if (t->kind == TERM_CAST || t->kind == TERM_AS) {
        buf_printf(out, " %d", (int)t->column);
    }
    if (t->text.len > 0) {
        buf_char(out, ' ');
        buf_add(out, t->text);
    }
    if (t->flag) {
        bool is_call = t->kind == TERM_AGGREGATE || t->kind == TERM_CALL;
        buf_add(out, is_call ? S(" distinct") : S(" real"));
    }
}

static form_items items_of(const term *t)
{
    return t->kind == TERM_EXISTS && !block_is_one_group(t->block)
                   && !t->block->set
               ? ITEMS_NONE
               : ITEMS_IN_ORDER;
}

// The keys of PARTITION BY are a set.
static str window_text(prover *p, const term *t, int32_t first)
{
    assert(t->kind == TERM_WINDOW);
    const term *set = t->args[1];
    assert(set->kind == TERM_LIST);
    str *keys = form_terms(p, set->args, set->n, first);
    int n = form_sort(keys, (int)set->n);
    str call = form_term(p, t->args[0], first);
    str order = form_term(p, t->args[2], first);
    buf out = buf_new(p->a);
    buf_printf(&out, "(window %.*s %.*s", STR_ARG(call), STR_ARG(order));
    form_add(&out, keys, n);
    return buf_str(&out);
}

// Of how many COUNTs the term is the sum; 0: it is none. Such sums do not
// overflow, so that it is one which of them are added first.
static int32_t counts_in(const term *t)
{
    if (t->kind == TERM_ADD && !t->flag) {
        int32_t left = counts_in(t->args[0]);
        int32_t right = counts_in(t->args[1]);
        return left > 0 && right > 0 ? left + right : 0;
    }
    return term_counts(t);
}

static str *add_counts(prover *p, const term *t, int32_t first, str *out)
{
    if (t->kind == TERM_ADD) {
        return add_counts(p, t->args[1], first,
                          add_counts(p, t->args[0], first, out));
    }
    *out = form_term(p, t, first);
    return out + 1;
}

static str counts_text(prover *p, const term *t, int32_t first, int32_t n)
{
    str *counts = arena_new(p->a, str, n);
    add_counts(p, t, first, counts);
    str_sort(counts, n);
    buf out = buf_new(p->a);
    buf_add(&out, S("(+"));
    form_add(&out, counts, n);
    p->form_bytes += out.len;
    return buf_str(&out);
}

str form_term(prover *p, const term *t, int32_t first)
{
    if (prover_stopped(p) || (t->n == 0 && !t->block && !t->text.len)
        || t->kind == TERM_REAL || t->kind == TERM_TEXT
        || t->kind == TERM_OPAQUE) {
        return leaf(p, t);
    }
    if (t->kind == TERM_WINDOW) {
        return window_text(p, t, first);
    }
    int32_t counts = t->kind == TERM_ADD ? counts_in(t) : 0;
    if (counts > 0) {
        return counts_text(p, t, first, counts);
    }
    str *args = form_terms(p, t->args, t->n, first);
    int sorted = sorted_from(t);
    if (sorted >= 0) {
        str_sort(args + sorted, t->n - sorted);
    }
    bool is_set = t->kind == TERM_AND || t->kind == TERM_OR;
    ptrdiff_t n = is_set ? form_sort(args, t->n) : t->n;
    if (t->block) {
        args[n++] = form_block(p, t->block, first, items_of(t), NULL);
    }
    buf out = buf_new(p->a);
    buf_char(&out, '(');
    add_head(&out, t);
    form_add(&out, args, n);
    p->form_bytes += out.len;
    if (p->form_bytes > FORM_MAX) {
        prover_stop(p, S("a form that is too large"));
    }
    return buf_str(&out);
}
