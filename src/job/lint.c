/*
 * lint.c - findings from three sources.
 *
 * Method      The rows: empty, NULL only, other rows when run again or when the
 *             engine reads tables backwards. The tree: names that SQLite takes
 *             for texts, choices that are left to the engine. The question: an
 *             order that is asked for and missing. What runs is run as in
 *             scoring, under the same limits.
 *
 * Cost        Three runs of a gold, one for each choice, and two for each key
 *             that may put NULL first.
 */
#include "job/lint.h"

#include "base/json_write.h"
#include "base/words.h"
#include "job/lint_null.h"
#include "read/abstention.h"
#include "relation/relation_values.h"
#include "score/score_run.h"
#include "score/scorer.h"
#include "score/stability.h"
#include "sql/query_text.h"

enum {
    MAX_COMPARED = 32,  // variants that are compared with each other
};

static const struct {
    str word;
    lint_level level;
    str text;
} lints[] = {
#define LINT(constant, word, level, text) \
    {S_INIT(word), LINT_LEVEL_##level, S_INIT(text)},
#include "job/lint.def"
#undef LINT
};

WORDS_OF(lint, lint_id, lints)

str lint_text(lint_id id)
{
    return lints[id].text;
}

lint_level lint_level_of(lint_id id)
{
    return lints[id].level;
}

str lint_level_word(lint_level level)
{
    static const str words[] = {S_INIT("note"), S_INIT("warning"),
                                S_INIT("error")};
    return words[level];
}

typedef struct auditing {
    judging j;
    lint_list found;
    ptrdiff_t variant;  // that is looked at
} auditing;

static void find(auditing *u, lint_id id, str detail)
{
    *vec_push(u->j.e.a, &u->found) = (lint_finding){id, u->variant, detail};
}

static bool same_results(auditing *u, rules r, const table *a, const table *b)
{
    compare_options o = {0};
    return compare_exec(r, a, b, &o, u->j.e.a, u->j.s->scratch).v == ANSWER_YES;
}

// What the rows themselves tell.
static void audit_result(auditing *u, str sql, const execution *x)
{
    if (x->result.n_rows == 0) {
        find(u, LINT_EMPTY, (str){0});
    } else if (table_is_null(&x->result)) {
        find(u, LINT_ONLY_NULL, (str){0});
    }
    if (x->reads_clock) {
        find(u, LINT_CLOCK, (str){0});
    }
    if (x->reads_random) {
        find(u, LINT_RANDOM, (str){0});
    }
    execution again = score_run_once(&u->j, sql, WATCH_GOLD);
    if (again.status == REASON_NONE
        && !same_results(u, RULES_STRICT, &x->result, &again.result)) {
        find(u, LINT_TWO_RUNS, (str){0});
        return;
    }
    again = score_run_reversed(&u->j, sql);
    if (again.status == REASON_NONE
        && !same_results(u, RULES_ASSAY, &x->result, &again.result)) {
        find(u, LINT_UNSTABLE, (str){0});
    }
}

static void find_doubts(auditing *u, const binding *b)
{
    node_list all = relation_nodes_of(u->j.e.a, b->query->node, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        const bound_ref *ref = bind_ref(b, all.ptr[i]);
        if (ref && ref->kind == REF_STRING) {
            find(u, LINT_DOUBLE_QUOTES,
                 arena_printf(u->j.e.a, "\"%.*s\"", STR_ARG(all.ptr[i]->text)));
        }
    }
}

// What its tree tells.
static void audit_tree(auditing *u, str sql)
{
    judging *j = &u->j;
    dialect d = j->s->options->dialect;
    str no_schema = engine_schema_error(j->db);
    if (no_schema.len > 0) {
        find(u, LINT_NO_DATABASE, no_schema);
        return;
    }
    query_text t = query_text_of(j->e.a, sql, d, j->s->scratch);
    if (t.parsed.errors.len > 0) {
        find(u, LINT_UNREADABLE, t.error.text);
    } else if (t.tree && d == DIALECT_SQLITE) {
        find_doubts(u, bind_query(j->e.a, t.tree, engine_schema(j->db), d,
                                  j->s->scratch));
    }
}

static void audit_choices(auditing *u, const family_text *v, ptrdiff_t n_rows)
{
    static const struct {
        unsigned bit;
        lint_id id;
    } meanings[] = {
        {STABILITY_LIMIT_TIE, LINT_TIE_AT_LIMIT},
        {STABILITY_LIMIT_FREE, LINT_LIMIT_WITHOUT_ORDER},
        {STABILITY_BARE, LINT_BARE_COLUMN},
        {STABILITY_INNER, LINT_INNER_CHOICE},
        {STABILITY_ORDER, LINT_ORDER_TIED},
    };
    unsigned found = score_stability(&u->j, v->sql);
    for (ptrdiff_t i = 0; i < countof(meanings); i++) {
        if (found & meanings[i].bit) {
            find(u, meanings[i].id, (str){0});
        }
    }
    str key = lint_null_first(&u->j, v->sql);
    if (key.len > 0) {
        find(u, LINT_NULL_FIRST,
             arena_printf(u->j.e.a, "%.*s is NULL there", STR_ARG(key)));
    }
    if (u->j.question.len > 0 && u->j.e.asks_order && !v->has_order
        && n_rows > 1) {
        find(u, LINT_ORDER_MISSING, (str){0});
    }
}

static void audit_variants(auditing *u)
{
    const gold_set *set = &u->j.e.families[FAMILY_PLAIN];
    for (ptrdiff_t i = 0; i < set->n && i < MAX_COMPARED; i++) {
        for (ptrdiff_t k = 0; k < i; k++) {
            if (set->runs[i].status == REASON_NONE
                && set->runs[k].status == REASON_NONE
                && same_results(u, RULES_STRICT, &set->runs[k].result,
                                &set->runs[i].result)) {
                u->variant = i;
                find(u, LINT_VARIANTS_EQUAL,
                     arena_printf(u->j.e.a, "variants %td and %td", k, i));
                return;  // once a gold is enough
            }
        }
    }
}

static void audit_gold(auditing *u)
{
    const gold_set *set = &u->j.e.families[FAMILY_PLAIN];
    if (set->n == 0) {
        find(u, LINT_TEMPLATE, set->error);
        return;
    }
    if (!u->j.db) {
        find(u, LINT_NO_DATABASE, u->j.e.db_error);
        return;
    }
    if (set->n_ran == 0) {
        find(u, LINT_GOLD_FAILED, set->error);
        return;
    }
    for (ptrdiff_t i = 0; i < set->n; i++) {
        const execution *x = &set->runs[i];
        u->variant = set->n > 1 ? i : -1;
        if (x->status != REASON_NONE) {
            find(u, LINT_VARIANT_FAILED,
                 arena_printf(u->j.e.a, "%.*s: %.*s",
                              STR_ARG(reason_word(x->status)),
                              STR_ARG(x->message)));
            continue;
        }
        audit_result(u, set->variants[i].sql, x);
        audit_tree(u, set->variants[i].sql);
        audit_choices(u, &set->variants[i], x->result.n_rows);
    }
    audit_variants(u);
}

// Does the result of the gold hang on what the engine is free to choose?
static bool is_chosen(const lint_list *found)
{
    bool chosen = false;
    for (ptrdiff_t i = 0; i < found->len && !chosen; i++) {
        lint_id id = found->ptr[i].id;
        chosen = id == LINT_TWO_RUNS || id == LINT_UNSTABLE
                 || id == LINT_TIE_AT_LIMIT || id == LINT_LIMIT_WITHOUT_ORDER
                 || id == LINT_BARE_COLUMN || id == LINT_INNER_CHOICE;
    }
    return chosen;
}

lint_list scorer_lint(scorer *s,
                      const score_task *task,
                      lint_who *who,
                      arena *a)
{
    *who = (lint_who){0};
    auditing u = {.variant = -1};
    score_begin_case(s);
    judging_begin(&u.j, s, task, a);
    if (score_gold_death(task) || score_death_of(task, WATCH_ALL)) {
        find(&u, LINT_GOLD_FAILED, S("scoring the case killed its worker"));
    } else if (abstention_is_right(task->gold)) {
        return u.found;
    } else {
        scorer_prepare_gold(&u.j);
        audit_gold(&u);
        if (s->options->ranks_golds) {
            *who = lint_who_is_wrong(&u.j, is_chosen(&u.found));
        }
    }
    return u.found;
}

void lint_line_add(buf *b,
                   const record *gold,
                   int64_t line,
                   const lint_list *findings,
                   const lint_who *who)
{
    json_write(
        b, json_begin('{'), member_text(S("id"), gold->id),
        member_text(S("db"), gold->db),
        member_text(S("question"), gold->question),
        member_text(S("gold"), gold->n_golds > 0 ? gold->golds[0] : (str){0}),
        member_int(S("line"), line), member_open(S("findings"), '['));
    for (ptrdiff_t i = 0; i < findings->len; i++) {
        const lint_finding *f = &findings->ptr[i];
        json_write(
            b, json_begin('{'), member_text(S("lint"), lint_word(f->id)),
            member_text(S("level"), lint_level_word(lint_level_of(f->id))),
            member_if(f->variant >= 0, member_int(S("variant"), f->variant)),
            member_text_if_any(S("detail"), f->detail), json_end("}"));
    }
    buf_char(b, ']');
    if (who->is_asked) {
        lint_who_add(b, who);
    }
    buf_add(b, S("}\n"));
}
