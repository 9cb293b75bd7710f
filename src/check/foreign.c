// foreign.c - see foreign.h.
#include "check/foreign.h"

#include "check/other_meaning.h"
#include "sql/translate.h"
#include "table/verdict.h"

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

void foreign_forgive(check_verdict *v)
{
    bool is_broken = str_equal(v->reason, reason_word(REASON_NO_SUCH_COLUMN))
                     || str_equal(v->reason, reason_word(REASON_NO_SUCH_TABLE));
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
