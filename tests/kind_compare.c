/*
 * kind_compare.c - kind `compare`: two result tables in, a verdict a line for
 * each metric and set of rules out.
 *
 * Keys        rules       sets of rules (assay)
 *             metrics     of exec, subset, soft_f1, cell_f1, need (exec subset)
 *             ordered     yes, or not_asked: the gold's order was not asked for
 *             columns     same-order
 *             sets, extra_rows, cut   yes
 *             tolerance   a number
 *             gold_columns   positions from 0, for spider2
 *             question, category, gold_sql, pred_sql
 */
#include "evaluators/evaluator.h"
#include "kind.h"
#include "table_text.h"

typedef struct compare_case {
    table gold;
    table pred;
    compare_options options;
} compare_case;

static bool is_yes(const test_case *c, const char *key)
{
    return str_equal(case_key(c, key), S("yes"));
}

// Cuts the next word off a list with blanks or commas between words.
static str cut_word(str *list)
{
    while (list->len > 0 && (is_space(list->ptr[0]) || list->ptr[0] == ',')) {
        *list = str_skip(*list, 1);
    }
    ptrdiff_t n = 0;
    while (n < list->len && !is_space(list->ptr[n]) && list->ptr[n] != ',') {
        n++;
    }
    str word = str_sub(*list, 0, n);
    *list = str_skip(*list, n);
    return word;
}

static void read_options(test_case *c, compare_options *o)
{
    *o = (compare_options){
        .is_ordered = is_yes(c, "ordered"),
        .order_not_asked = str_equal(case_key(c, "ordered"), S("not_asked")),
        .same_column_order = str_equal(case_key(c, "columns"), S("same-order")),
        .rows_are_sets = is_yes(c, "sets"),
        .allows_extra_rows = is_yes(c, "extra_rows"),
        .question = case_key(c, "question"),
        .category = case_key(c, "category"),
        .gold_sql = case_key(c, "gold_sql"),
        .pred_sql = case_key(c, "pred_sql"),
    };
    str tolerance = case_key(c, "tolerance");
    o->has_tolerance = tolerance.len > 0;
    if (o->has_tolerance && !str_to_double(tolerance, &o->tolerance)) {
        case_broken(c, "the tolerance is no number");
    }
    str list = case_key(c, "gold_columns");
    int32_t *columns = arena_new(case_arena(c), int32_t, list.len);
    for (str word = cut_word(&list); word.len > 0; word = cut_word(&list)) {
        int64_t position = 0;
        str_to_int(word, &position);
        columns[o->n_gold_columns++] = (int32_t)position;
    }
    o->gold_columns = columns;
}

// The name of column i, with its number where the name does not tell.
static void add_name(buf *b, const table *t, ptrdiff_t i)
{
    bool is_unique = t->names[i].len > 0;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        is_unique &= c == i || !str_equal(t->names[c], t->names[i]);
    }
    buf_add(b, t->names[i]);
    if (!is_unique) {
        buf_printf(b, "#%td", i + 1);
    }
}

static void add_notes(buf *b, uint64_t notes)
{
    while (b->len > 0 && b->ptr[b->len - 1] == ' ') {
        b->len--;
    }
    const char *before = "  note ";
    for (int r = NOTE_FIRST; r < REASON_COUNT; r++) {
        if (notes & NOTE_BIT(r)) {
            buf_printf(b, "%s%.*s", before, STR_ARG(reason_word((reason)r)));
            before = " ";
        }
    }
}

static void add_verdict(buf *b, const verdict *v, const compare_case *c)
{
    buf_printf(b, "%-5.*s", STR_ARG(answer_word(v->v)));
    if (v->has_score) {
        buf_printf(b, "%.4f  ", v->score);
    }
    for (ptrdiff_t g = 0; v->v == ANSWER_YES && g < v->n_columns; g++) {
        buf_add(b, g > 0 ? S(" ") : S(""));
        add_name(b, &c->gold, g);
        buf_char(b, '=');
        add_name(b, &c->pred, v->columns[g]);
    }
    buf_add(b, reason_word(v->reason));
    if (v->detail.len > 0) {
        buf_add(b, v->reason == REASON_NONE ? S("  ") : S(": "));
        buf_add(b, v->detail);
    }
    add_notes(b, v->notes);
    buf_char(b, '\n');
}

static void add_need(buf *b, const char *metric, compare_need need)
{
    buf_printf(b, "%s rows %td distinct %td", metric, need.rows, need.distinct);
}

static void add_metric(test_case *t,
                       buf *b,
                       str metric,
                       rules r,
                       const compare_case *c)
{
    arena *a = case_arena(t);
    arena scratch = case_scratch(t);
    const compare_options *o = &c->options;
    verdict v = {0};
    if (str_equal(metric, S("exec"))) {
        v = compare_exec(r, &c->gold, &c->pred, o, a, scratch);
    } else if (str_equal(metric, S("subset"))) {
        v = compare_subset(r, &c->gold, &c->pred, o, a, scratch);
    } else if (str_equal(metric, S("soft_f1"))) {
        v = compare_soft_f1(&c->gold, &c->pred, a, scratch);
    } else if (str_equal(metric, S("cell_f1"))) {
        v = compare_cell_f1(&c->gold, &c->pred, a, scratch);
    } else if (str_equal(metric, S("need"))) {
        add_need(b, "exec", evaluator_of(r)->need(COMPARE_EXEC, &c->gold, o));
        add_need(b, ", subset",
                 evaluator_of(r)->need(COMPARE_SUBSET, &c->gold, o));
        buf_char(b, '\n');
        return;
    } else {
        case_broken(t, "no metric '%.*s'", STR_ARG(metric));
        return;
    }
    add_verdict(b, &v, c);
}

static bool depends_on_rules(str metric)
{
    return !str_equal(metric, S("soft_f1")) && !str_equal(metric, S("cell_f1"));
}

// "exec" or, where several sets of rules are asked for or it is not the
// default, "exec:bird".
static str label_of(arena *a, str metric, rules r, bool is_only)
{
    return !depends_on_rules(metric) || (is_only && r == RULES_ASSAY)
               ? metric
               : arena_printf(a, "%.*s:%.*s", STR_ARG(metric),
                              STR_ARG(rules_word(r)));
}

static void add_rules(test_case *t,
                      buf *b,
                      rules r,
                      const compare_case *c,
                      ptrdiff_t index,
                      bool is_only)
{
    str metrics = case_key(t, "metrics");
    metrics = metrics.len > 0 ? metrics : S("exec subset");
    for (str m = cut_word(&metrics); m.len > 0; m = cut_word(&metrics)) {
        if (!depends_on_rules(m) && index > 0) {
            continue;
        }
        str label = label_of(case_arena(t), m, r, is_only);
        buf_printf(b, "%-*.*s", is_only && r == RULES_ASSAY ? 8 : 17,
                   STR_ARG(label));
        add_metric(t, b, m, r, c);
    }
}

static void run_compare(test_case *t)
{
    arena *a = case_arena(t);
    compare_case c = {0};
    diag d = diag_new(a);
    if (!table_from_text(&c.gold, a, case_section(t, "gold"), &d)
        || !table_from_text(&c.pred, a, case_section(t, "pred"), &d)) {
        case_broken(t, "%.*s", STR_ARG(d.messages.ptr[0].text));
        return;
    }
    c.pred.is_cut = is_yes(t, "cut");
    read_options(t, &c.options);
    str list = case_key(t, "rules");
    list = list.len > 0 ? list : S("assay");
    str rest = list;
    cut_word(&rest);
    bool is_only = cut_word(&rest).len == 0;
    buf b = buf_new(a);
    ptrdiff_t index = 0;
    for (str word = cut_word(&list); word.len > 0; word = cut_word(&list)) {
        rules r = RULES_ASSAY;
        if (!rules_from_word(word, &r)) {
            case_broken(t, "no rules '%.*s'", STR_ARG(word));
            return;
        }
        add_rules(t, &b, r, &c, index++, is_only);
    }
    case_output(t, "", buf_str(&b));
}

const test_kind kind_compare = {
    .name = "compare",
    .sections = "gold pred",
    .keys = "rules metrics ordered columns sets extra_rows cut tolerance "
            "gold_columns question category gold_sql pred_sql",
    .run = run_compare,
};
