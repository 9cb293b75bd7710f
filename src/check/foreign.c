// foreign.c - see foreign.h.
#include "check/foreign.h"

#include "check/other_meaning.h"
#include "sql/print.h"
#include "sql/semantics.h"
#include "sql/translate.h"
#include "table/verdict.h"

const schema *foreign_schema(arena *a, const schema *s, dialect d)
{
    bool folds = dialect_semantics(d).texts_are_folded;
    schema *out = arena_new(a, schema, 1);
    schema_table *tables = arena_new(a, schema_table, s->n_tables);
    *out = *s;
    out->tables = tables;
    out->stands_for = d;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        ptrdiff_t n = s->tables[t].n_columns;
        schema_column *columns = arena_new(a, schema_column, n);
        tables[t] = s->tables[t];
        tables[t].columns = columns;
        for (ptrdiff_t i = 0; i < n; i++) {
            columns[i] = s->tables[t].columns[i];
            bool is_open = columns[i].kind == KIND_TEXT
                           && columns[i].collation == COLLATION_BINARY;
            columns[i].collation =
                folds && is_open ? COLLATION_NOCASE : columns[i].collation;
        }
    }
    return out;
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

// Has it a text that SQLite would compare by its bytes, for it stands in no
// column?
static bool loses_collation(const ast *n, const ast *parent)
{
    switch ((int)n->kind) {
    case AST_STRING:
        return (parent->kind == AST_BINARY && operator_compares(parent->form))
               || parent->kind == AST_ROW
               || (parent->kind == AST_IN && parent->kid[IN_EXPR] == n);
    case AST_BINARY: return n->form == OPERATOR_CONCAT;
    case AST_CALL:
    case AST_CASE:
    case AST_CAST: return true;
    default: return false;
    }
}

static void fold(arena *a, ast *n)
{
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        bool is_source =
            n->kind == AST_JOIN || (n->kind == AST_SELECT && i == SELECT_FROM);
        for (ast **at = &n->kid[i]; *at; at = &(*at)->next) {
            ast *kid = *at;
            fold(a, kid);
            if (!is_source && loses_collation(kid, n)) {
                *at = ast_new(a, AST_COLLATE);
                (*at)->text = S("NOCASE");
                (*at)->kid[COLLATE_EXPR] = kid;
                (*at)->next = kid->next;
                kid->next = NULL;
            }
        }
    }
}

str foreign_folded(arena *a, const ast *query, arena scratch)
{
    ast *copy = ast_copy(a, query);
    buf text = buf_new(a);
    fold(a, copy);
    print_sql(&text, copy, DIALECT_SQLITE, PRINT_ONE_LINE, scratch);
    return buf_str(&text);
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
