/*
 * foreign.c - see foreign.h.
 *
 * Method      Where days in a computation are digits (semantics.def), that is
 *             said in the dialect's own words before anybody reads the query:
 *             20200131 is what 1 is added to, and what a number is compared
 *             with. A number made so may be another table's column: so once
 *             more, until nothing is left to be said.
 */
#include "check/foreign.h"

#include "check/other_meaning.h"
#include "relation/relation_condition.h"
#include "relation/relation_values.h"
#include "schema/schema_draft.h"
#include "sql/ast_rewrite.h"
#include "sql/print.h"
#include "sql/query_text.h"
#include "sql/semantics.h"
#include "sql/translate.h"
#include "table/verdict.h"

typedef struct speller {
    const binding *b;
    arena *a;
    vec_of(const ast *) days;  // that are numbers where they stand
} speller;

// A column of days, or the first or last of them.
static bool is_day(const speller *s, const ast *n)
{
    bool passes = n->kind == AST_COLUMN || n->kind == AST_DOUBT
                  || (n->kind == AST_CALL && !n->kid[CALL_OVER]
                      && str_among_fold(n->text, "min max"));
    return passes && bind_type(s->b, n).kind == KIND_DATE;
}

// CAST(DATE_FORMAT(d, '%Y%m%d') AS SIGNED)
static ast *digits_of(speller *s, const ast *day)
{
    ast *call = ast_new(s->a, AST_CALL);
    ast *cast = ast_new(s->a, AST_CAST);
    call->text = S("DATE_FORMAT");
    call->kid[CALL_ARGS] = ast_copy(s->a, day);
    call->kid[CALL_ARGS]->next = ast_new(s->a, AST_STRING);
    call->kid[CALL_ARGS]->next->text = S("'%Y%m%d'");
    cast->form = CAST_FORM_CAST;
    cast->kid[CAST_EXPR] = call;
    cast->kid[CAST_TYPE] = ast_new(s->a, AST_TYPE);
    cast->kid[CAST_TYPE]->text = S("SIGNED");
    return cast;
}

static void look_for_days(speller *s, const ast *n)
{
    bool is_sign = n->kind == AST_UNARY && other_computes(n->form);
    if (is_sign && is_day(s, n->kid[UNARY_EXPR])) {
        *vec_push(s->a, &s->days) = n->kid[UNARY_EXPR];
    }
    condition c = condition_of(n, false);
    if (n->kind != AST_BINARY || c.kind != CONDITION_PAIR || !c.left || !c.right
        || c.left->kind == AST_INTERVAL || c.right->kind == AST_INTERVAL) {
        return;
    }
    const ast *sides[] = {c.left, c.right};
    bool computes = other_computes(n->form);
    bool may = computes || operator_weighs(n->form);
    for (int i = 0; i < 2; i++) {
        if (may && is_day(s, sides[i])
            && (computes
                || schema_kind_is_number(bind_type(s->b, sides[1 - i]).kind))) {
            *vec_push(s->a, &s->days) = sides[i];
        }
    }
}

static ast *spell(void *context, const ast *n)
{
    speller *s = context;
    for (ptrdiff_t i = 0; i < s->days.len; i++) {
        if (s->days.ptr[i] == n) {
            return digits_of(s, n);
        }
    }
    return NULL;
}

str foreign_spell(arena *a, str sql, const schema *s, dialect d, arena scratch)
{
    enum {
        ROUNDS_MAX = 4
    };
    bool speaks = dialect_semantics(d).days_are_digits;
    for (int i = 0; speaks && i < ROUNDS_MAX; i++) {
        arena trees = scratch;
        arena temp = arena_half(&trees);
        ast *query = query_text_of(&trees, sql, d, temp).tree;
        speller more = {.a = &trees};
        more.b = query ? bind_query(&trees, query, s, d, temp) : NULL;
        if (more.b && more.b->problems.len == 0) {
            node_list all = relation_nodes_of(&trees, query, NODES_ALL);
            for (ptrdiff_t k = 0; k < all.len; k++) {
                look_for_days(&more, all.ptr[k]);
            }
        }
        if (more.days.len == 0) {
            return sql;
        }
        ast *said = ast_rewrite(&trees, query, spell, &more);
        buf text = buf_new(a);
        print_sql(&text, said, d, PRINT_ONE_LINE, temp);
        sql = buf_str(&text);
    }
    return sql;
}

const schema *foreign_schema(arena *a, const schema *s, dialect d, bool folds)
{
    bool is_told_apart = !folds && dialect_semantics(d).texts_are_folded;
    schema_draft *out = schema_draft_of(a, s, 0);
    out->s.stands_for = is_told_apart ? s->stands_for : d;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        for (ptrdiff_t i = 0; i < s->tables[t].n_columns; i++) {
            schema_column *c = &out->columns[t][i];
            bool is_open =
                c->kind == KIND_TEXT && c->collation == COLLATION_BINARY;
            c->collation = folds && is_open ? COLLATION_NOCASE : c->collation;
            c->is_single |= schema_type_is_single(c->type, d);
        }
        const ast **view = &out->tables[t].view;
        *view = *view && folds ? translate_folded_query(a, *view) : *view;
    }
    return &out->s;
}

bool foreign_translate(str *left,
                       str *right,
                       dialect d,
                       dialect home,
                       check_verdict *v,
                       arena *a,
                       arena scratch)
{
    str why = {0};
    if (home != DIALECT_SQLITE) {
        str word = dialect_word(d);
        v->reason = S("dialect");
        v->detail = arena_printf(
            a, "%s does not run the dialect %.*s",
            home == DIALECT_DUCKDB ? "DuckDB" : "PostgreSQL", STR_ARG(word));
        return false;
    }
    if (translate_to_sqlite(left, a, *left, d, &why, scratch)
        && translate_to_sqlite(right, a, *right, d, &why, scratch)) {
        return true;
    }
    other_meaning_refuse(v, why, a);
    return false;
}

// An aggregate of an aggregate, which none of the dialects has.
static bool nests_aggregates(const ast *query, arena a)
{
    node_list all = {0};
    if (query) {
        all = relation_nodes_of(&a, query, NODES_ALL);
    }
    bool nests = false;
    for (ptrdiff_t i = 0; !nests && i < all.len; i++) {
        node_list in = {0};
        if (dialect_aggregates(DIALECT_SQLITE, all.ptr[i])) {
            in = relation_nodes_of(&a, all.ptr[i], NODES_OF_BLOCK);
        }
        for (ptrdiff_t k = 0; !nests && k < in.len; k++) {
            nests = in.ptr[k] != all.ptr[i]
                    && dialect_aggregates(DIALECT_SQLITE, in.ptr[k]);
        }
    }
    return nests;
}

void foreign_forgive(check_verdict *v,
                     const ast *left,
                     const ast *right,
                     arena scratch)
{
    bool is_broken = str_equal(v->reason, reason_word(REASON_NO_SUCH_COLUMN))
                     || str_equal(v->reason, reason_word(REASON_NO_SUCH_TABLE))
                     || nests_aggregates(v->fails[0] ? left : right, scratch);
    if (v->evidence == EVIDENCE_ERROR && !is_broken) {
        v->answer = CHECK_UNKNOWN;
        v->evidence = EVIDENCE_BOUND;
    }
}

bool foreign_may_prove(const binding *left,
                       const binding *right,
                       const binding *const *typed,
                       const char **unsafe)
{
    if (!left || !right || reads_other_types(left)
        || reads_other_types(right)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (typed[i] && casts_to_single(typed[i])) {
            return false;
        }
    }
    if (shows_types(left) || shows_types(right)) {
        *unsafe = "divisor partial-aggregate union-count";
    }
    return true;
}
