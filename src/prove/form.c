/*
 * form.c - see form.h.
 *
 * Method      Sources are sorted by what they are. Where several are the same
 *             they are told apart by the conditions in which they occur, and
 *             only what is still the same is permuted. Columns that are held
 *             equal are written as one, their classes are listed; a GROUP BY is
 *             written as all that it determines, and a row of a source (1.*)
 *             is more than all its columns.
 */
#include "prove/form.h"

#include "relation/relation_told.h"
#include "relation/relation_type.h"

#include <assert.h>

// A block at hand, with one way of numbering after the other.
typedef struct formed {
    prover *p;
    const block *b;
    int32_t first;  // number of its first source
    int32_t next;   // the first number of blocks in it
    form_items how;
    class_list classes;
    instance **order;  // its sources, as they are numbered
    int *ties;         // by place: which sources may change places
    int n;
    closure group;
} formed;

static void add_all(buf *out, const char *head, const str *list, int n)
{
    if (n > 0) {
        buf_printf(out, " (%s", head);
        form_add(out, list, n);
    }
}

static void add_set(formed *f, buf *out, const char *head, const term_list *l)
{
    str *texts = form_terms(f->p, l->ptr, l->len, f->next);
    add_all(out, head, texts, form_sort(texts, (int)l->len));
}

// Forgets, or sets, what the columns of each class are called.
static void set_classes(formed *f, bool known)
{
    for (int i = 0; i < f->n; i++) {
        instance *s = f->order[i];
        ptrdiff_t n = instance_columns(s) + 1;
        s->classes = known ? arena_new(f->p->a, term_class *, n) : NULL;
    }
    for (ptrdiff_t i = 0; known && i < f->classes.len; i++) {
        term_class *c = &f->classes.ptr[i];
        for (ptrdiff_t k = 0; k < c->members.len; k++) {
            const term *t = c->members.ptr[k];
            if (block_owns(f->b, t->source)) {
                assert(t->column < instance_columns(t->source));
                t->source->classes[t->column + 1] = c;
            }
        }
    }
}

// The name of a class: of a column further out, or else the least; and the
// list of its members.
static str name_class(formed *f, term_class *c)
{
    ptrdiff_t n = c->members.len;
    str *texts = arena_new(f->p->a, str, n);
    str outside = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        const term *t = c->members.ptr[i];
        bool is_own = block_owns(f->b, t->source);
        term_class **saved = t->source->classes;
        if (is_own) {
            t->source->classes = NULL;
        }
        texts[i] = form_term(f->p, t, f->next);
        t->source->classes = saved;
        if (!is_own
            && (outside.len == 0 || str_compare(texts[i], outside) < 0)) {
            outside = texts[i];
        }
    }
    int kept = form_sort(texts, (int)n);
    c->name = outside.len > 0 ? outside : texts[0];
    buf out = buf_new(f->p->a);
    add_all(&out, "same", texts, kept);
    return buf_str(&out);
}

static void add_classes(formed *f, buf *out)
{
    str *texts = arena_new(f->p->a, str, f->classes.len);
    for (ptrdiff_t i = 0; i < f->classes.len; i++) {
        texts[i] = name_class(f, &f->classes.ptr[i]);
    }
    add_all(out, "classes", texts, form_sort(texts, (int)f->classes.len));
}

static void add_sources(formed *f, buf *out)
{
    for (int i = 0; i < f->n; i++) {
        const instance *s = f->order[i];
        buf_printf(out, " %.*s", STR_ARG(s->name));
        if (s->is_outer) {
            buf_char(out, '?');
            add_set(f, out, "on", &s->on);
        }
    }
}

static void add_where(formed *f, buf *out)
{
    term_list rest = {0};
    for (ptrdiff_t i = 0; i < f->b->where.len; i++) {
        const term *t = f->b->where.ptr[i];
        if (f->classes.len == 0 || !know_identifies(f->p, f->b, t)) {
            term_list_push(f->p, &rest, t);
        }
    }
    add_set(f, out, "where", &rest);
}

static void add_group(formed *f, buf *out)
{
    if (!f->b->has_group) {
        buf_add(out, f->b->is_grouped ? S(" (one-group)") : S(""));
        return;
    }
    term_list rest = {0};
    buf_add(out, S(" (groups"));
    for (int i = 0; i < f->n; i++) {
        instance *s = f->order[i];
        if (closure_has_row(&f->group, s)) {
            buf_printf(out, " %d.*", (int)s->number);
            continue;
        }
        ptrdiff_t n = instance_columns(s);
        for (ptrdiff_t k = 0; k < n; k++) {
            const term *t = term_column(f->p, s, (int32_t)k);
            if (closure_has_key(&f->group, t)) {
                term_list_push(f->p, &rest, t);
            }
        }
    }
    for (ptrdiff_t i = 0; i < f->b->group.len; i++) {
        if (!closure_has_key(&f->group, f->b->group.ptr[i])) {
            term_list_push(f->p, &rest, f->b->group.ptr[i]);
        }
    }
    add_set(f, out, "by", &rest);
    buf_char(out, ')');
}

str form_order(prover *p, const block *b, int32_t first, bool has_keys)
{
    buf out = buf_new(p->a);
    for (ptrdiff_t i = 0; has_keys && i < b->order.len; i++) {
        const sort_term *key = &b->order.ptr[i];
        str text = form_term(p, key->term, first);
        buf_printf(&out, " (%s%s %.*s)",
                   key->is_descending ? "falling" : "rising",
                   key->nulls_last == key->is_descending ? "" : " other-nulls",
                   STR_ARG(text));
    }
    const term *cuts[] = {b->limit, b->offset};
    for (int i = 0; i < countof(cuts); i++) {
        str text = cuts[i] ? form_term(p, cuts[i], first) : S("");
        add_all(&out, i ? "offset" : "limit", &text, cuts[i] != NULL);
    }
    return buf_str(&out);
}

static void add_items(formed *f, buf *out, const str *items)
{
    int n = (int)f->b->select.len;
    bool is_distinct = f->b->repeats != REPEATS_KEPT;
    if (f->how == ITEMS_NONE && f->b->repeats != REPEATS_DROPPED) {
        return;
    }
    str *texts = arena_copy(f->p->a, items, n, 1);
    bool is_set = is_distinct && f->how != ITEMS_IN_ORDER;
    int kept = n;
    if (is_set && f->how == ITEMS_NONE) {
        kept = form_sort(texts, n);
    } else if (f->how != ITEMS_IN_ORDER) {
        str_sort(texts, n);
    }
    add_all(out, is_distinct ? "distinct" : "items", texts, kept);
}

// The text under the numbering at hand.
static str numbered(formed *f, const str **items)
{
    buf out = buf_new(f->p->a);
    for (int i = 0; i < f->n; i++) {
        f->order[i]->number = f->first + i;
    }
    set_classes(f, true);
    buf classes = buf_new(f->p->a);
    add_classes(f, &classes);
    const term_list *shown = &f->b->select;
    str *texts = form_terms(f->p, shown->ptr, shown->len, f->next);
    str class_text = arena_str(f->p->a, buf_str(&classes));
    buf_add(&out, S("{"));
    add_sources(f, &out);
    buf_add(&out, class_text);
    add_where(f, &out);
    add_group(f, &out);
    add_set(f, &out, "having", &f->b->having);
    add_items(f, &out, texts);
    buf_add(&out, form_order(f->p, f->b, f->next, true));
    buf_add(&out, S("}"));
    *items = texts;
    set_classes(f, false);
    f->p->form_bytes += out.len;
    if (f->p->form_bytes > FORM_MAX) {
        prover_stop(f->p, S("a form that is too large"));
    }
    return buf_str(&out);
}

// What a source is, whatever its number.
static void name_sources(formed *f)
{
    for (ptrdiff_t i = 0; i < f->b->sources.len; i++) {
        instance *s = f->b->sources.ptr[i];
        f->order[i] = s;
        if (s->body) {
            s->name =
                form_block(f->p, s->body, f->first, ITEMS_NONE, &s->items);
        } else {
            s->name = s->columns_of->name;
        }
    }
}

static int compare_sources(const instance *a, const instance *b)
{
    if (a->is_outer != b->is_outer) {
        return a->is_outer ? 1 : -1;
    }
    int order = str_compare(a->name, b->name);
    return order;
}

// In what conditions a source occurs, itself told from the others.
static str signature(formed *f, instance *s)
{
    for (int i = 0; i < f->n; i++) {
        f->order[i]->number = f->order[i] == s ? -1 : -2;
    }
    buf out = buf_new(f->p->a);
    add_set(f, &out, "on", &s->on);
    add_set(f, &out, "where", &f->b->where);
    add_set(f, &out, "items", &f->b->select);
    add_set(f, &out, "group", &f->b->group);
    return buf_str(&out);
}

static void sort_sources(formed *f, const str *marks)
{
    for (int i = 1; i < f->n; i++) {
        instance *s = f->order[i];
        int at = i;
        for (; at > 0; at--) {
            const instance *before = f->order[at - 1];
            int order = compare_sources(before, s);
            if (order == 0 && marks) {
                assert(s->slot >= 0
                       && s->slot < f->n);  // arrange() uses it for marks
                order = str_compare(marks[before->slot], marks[s->slot]);
            }
            if (order <= 0) {
                break;
            }
            f->order[at] = f->order[at - 1];
        }
        f->order[at] = s;
    }
}

static bool has_ties(const formed *f)
{
    for (int i = 1; i < f->n; i++) {
        if (compare_sources(f->order[i - 1], f->order[i]) == 0) {
            return true;
        }
    }
    return false;
}

// Sorts the sources; ties[i] is the number of the tie that place i is in.
static void arrange(formed *f)
{
    sort_sources(f, NULL);
    str *marks = NULL;
    if (has_ties(f)) {
        marks = arena_new(f->p->a, str, f->n);
        for (int i = 0; i < f->n; i++) {
            marks[i] = signature(f, f->order[i]);
        }
        for (int i = 0; i < f->n; i++) {
            f->order[i]->slot = i;
        }
        sort_sources(f, marks);
    }
    for (int i = 1; i < f->n; i++) {
        const instance *before = f->order[i - 1];
        const instance *s = f->order[i];
        bool is_tie = marks && compare_sources(before, s) == 0
                      && str_equal(marks[before->slot], marks[s->slot]);
        f->ties[i] = is_tie ? f->ties[i - 1] : i;
    }
}

static bool reverse_tail(instance **list, int from, int to)
{
    for (to--; from < to; from++, to--) {
        instance *s = list[from];
        list[from] = list[to];
        list[to] = s;
    }
    return false;
}

// The next order of the sources of one tie, by their places at the start;
// false: all were there, and it is the first again.
static bool next_in_tie(instance **list, int n)
{
    assert(n > 1);  // one source has one order
    int i = n - 2;
    while (i >= 0 && list[i]->place > list[i + 1]->place) {
        i--;
    }
    if (i < 0) {
        return reverse_tail(list, 0, n);
    }
    int k = n - 1;
    while (list[k]->place < list[i]->place) {
        k--;
    }
    instance *s = list[i];
    list[i] = list[k];
    list[k] = s;
    reverse_tail(list, i + 1, n);
    return true;
}

static bool next_order(formed *f)
{
    for (int from = 0; from < f->n;) {
        int to = from + 1;
        while (to < f->n && f->ties[to] == f->ties[from]) {
            to++;
        }
        if (to - from > 1 && next_in_tie(f->order + from, to - from)) {
            return true;
        }
        from = to;
    }
    return false;
}

static bool is_extreme(const term *t)
{
    return str_among(t->text, "min max");
}

// SQLite takes bare columns from the row of a MIN or MAX, wherever that stands.
// So none may have come or gone.
static bool keeps_extremes(prover *p, const block *b)
{
    if (!b->is_grouped
        || (b->extremes.len == 0 && !block_has(b, HAS_AGGREGATE))) {
        return true;
    }
    group_results r = know_results(p, b);
    bool keeps = true;
    for (ptrdiff_t i = 0; i < b->extremes.len; i++) {
        keeps &= term_list_has(&r.aggregates, b->extremes.ptr[i]);
    }
    for (ptrdiff_t i = 0; i < r.aggregates.len; i++) {
        const term *t = r.aggregates.ptr[i];
        keeps &= !is_extreme(t) || term_list_has(&b->extremes, t);
    }
    return keeps || !r.is_bare;
}

static void bring_into_form(const block *b, bool is_in_form)
{
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        b->sources.ptr[i]->is_in_form = is_in_form;
    }
}

static str form_select(formed *f, const str **items)
{
    prover *p = f->p;
    if (know_picks(p, f->b)) {
        prover_stop(p, S(OBSTACLE_BARE));
    } else if (!keeps_extremes(p, f->b)) {
        prover_stop(p, S("a column of the row with a MIN or MAX that is gone"));
    }
    f->n = (int)f->b->sources.len;
    f->next = f->first + f->n;
    f->order = arena_new(p->a, instance *, f->n);
    f->ties = arena_new(p->a, int, f->n + 1);
    bring_into_form(f->b, true);
    name_sources(f);
    f->classes = know_classes(p, f->b);
    arrange(f);
    f->group = closure_of(p, f->b, &f->b->group);
    for (int i = 0; i < f->n; i++) {
        f->order[i]->place = i;
    }
    str best = numbered(f, items);
    int tried = 1;
    while (!prover_stopped(p) && next_order(f)) {
        const str *texts = NULL;
        str text = numbered(f, &texts);
        if (str_compare(text, best) < 0) {
            best = text;
            *items = texts;
        }
        if (++tried > PERMUTATIONS_MAX) {
            prover_stop(p, S("one table too many times"));
        }
    }
    bring_into_form(f->b, false);
    return best;
}

bool form_sides_agree(prover *p, const block *b)
{
    bool agree = b->set != SET_EXCEPT;
    for (int32_t i = 0; agree && i < block_outputs(b); i++) {
        term_type type = term_type_of_output(b, i);
        agree = !type.is_unlike && type.collation == COLLATION_BINARY
                && type_sides_exchange(p, b, i)
                && (b->is_all || know_exact_output(p, b, i));
    }
    return agree;
}

static bool is_plain_set(const block *b)
{
    return b->order.len == 0 && !b->limit && !b->offset;
}

typedef str_list operands;

// The operands of nested sets of one operator. UNION forgets how often a row
// comes, so UNION ALL in it is UNION.
static void collect(prover *p,
                    const block *b,
                    const block *top,
                    int32_t first,
                    operands *out)
{
    bool is_same = b->set == top->set
                   && (b->is_all == top->is_all
                       || (!top->is_all && top->set == SET_UNION));
    if (b == top || (is_same && is_plain_set(b) && form_sides_agree(p, b))) {
        assert(b->set);  // only set operations have sides
        collect(p, b->left, top, first, out);
        collect(p, b->right, top, first, out);
        return;
    }
    str text = form_block(p, b, first, ITEMS_IN_ORDER, NULL);
    *vec_push(p->a, out) = text;
}

static str form_set(formed *f, const str **items)
{
    static const char *const words[] = {"", "union", "intersect", "except"};
    const block *b = f->b;
    assert(b->set > SET_NONE && b->set < countof(words));
    operands sides = {0};
    f->next = f->first;
    if (form_sides_agree(f->p, b)) {
        collect(f->p, b, b, f->first, &sides);
        if (b->is_all) {
            str_sort(sides.ptr, sides.len);
        } else {
            sides.len = form_sort(sides.ptr, (int)sides.len);
        }
    } else {
        *vec_push(f->p->a, &sides) =
            form_block(f->p, b->left, f->first, ITEMS_IN_ORDER, NULL);
        *vec_push(f->p->a, &sides) =
            form_block(f->p, b->right, f->first, ITEMS_IN_ORDER, NULL);
    }
    buf out = buf_new(f->p->a);
    buf_printf(&out, "{%s%s", words[b->set], b->is_all ? "-all" : "");
    add_all(&out, "of", sides.ptr, (int)sides.len);
    buf_add(&out, form_order(f->p, f->b, f->next, true));
    buf_char(&out, '}');
    str *texts = arena_new(f->p->a, str, block_outputs(b) + 1);
    for (ptrdiff_t i = 0; i < block_outputs(b); i++) {
        texts[i] = arena_printf(f->p->a, "@%d", (int)i);
    }
    *items = texts;
    return buf_str(&out);
}

str form_block(prover *p,
               const block *b,
               int32_t first,
               form_items how,
               const str **items)
{
    formed f = {.p = p, .b = b, .first = first, .how = how};
    const str *texts = NULL;
    if (prover_stopped(p) || p->depth >= DEPTH_MAX) {
        prover_stop(p, S("queries that are nested too deeply"));
        return S("");
    }
    p->depth++;
    str text = b->set ? form_set(&f, &texts) : form_select(&f, &texts);
    p->depth--;
    if (items) {
        *items = texts;
    }
    return text;
}
