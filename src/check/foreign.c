/*
 * foreign.c - see foreign.h.
 *
 * Method      The tables of the system with the collations and the precision
 *             that it gives them; the words by translate.h. Which rules hold is
 *             asked of the types that both queries read and make.
 */
#include "check/foreign.h"

#include "check/other_meaning.h"
#include "schema/schema_draft.h"
#include "sql/semantics.h"
#include "sql/translate.h"
#include "table/verdict.h"

// Texts that are computed, too.
static void fold_checks(arena *a, schema_table *t)
{
    const ast **checks = (const ast **)arena_alloc(
        a, sizeof *checks, _Alignof(max_align_t), t->n_checks + 1);
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        checks[i] = translate_folded_query(a, t->checks[i]);
    }
    t->checks = checks;
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
        if (folds) {
            fold_checks(a, &out->tables[t]);
        }
    }
    return &out->s;
}

static bool translated(read_query *w,
                       dialect d,
                       str *why,
                       arena *a,
                       arena scratch)
{
    const ast *said = translate_to_sqlite(a, w->tree, d, why, scratch);
    if (said) {
        *w = read_query_printed(a, said, DIALECT_SQLITE, scratch);
    }
    return said;
}

bool foreign_translate(read_query *left,
                       read_query *right,
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
    if (translated(left, d, &why, a, scratch)
        && translated(right, d, &why, a, scratch)) {
        return true;
    }
    other_meaning_refuse(v, why, a);
    return false;
}

void foreign_forgive(check_verdict *v,
                     const ast *left,
                     const ast *right,
                     arena *a)
{
    const ast *query = v->fails[0] ? left : right;
    bool is_broken = str_equal(v->reason, reason_word(REASON_NO_SUCH_COLUMN))
                     || str_equal(v->reason, reason_word(REASON_NO_SUCH_TABLE))
                     || translate_nests_aggregates(query);
    bool is_unknown =
        str_equal(v->reason, reason_word(REASON_SYNTAX_ERROR))
        || str_equal(v->reason, reason_word(REASON_NO_SUCH_FUNCTION));
    if (is_unknown && (v->fails[0] || v->fails[1])) {
        str what =
            arena_printf(a, "what it calls an error: %.*s", STR_ARG(v->detail));
        other_meaning_refuse(v, what, a);
    } else if (v->evidence == EVIDENCE_ERROR && !is_broken) {
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
        *unsafe = "divisor partial-sum union-count";
    }
    return true;
}
