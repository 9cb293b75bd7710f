/*
 * fuzz_prove.c - any two queries, on both sides of a line of two dashes and a
 * blank: proving ends, in bounded memory; the order of the sides does not
 * matter; what has a canonical form is equivalent to itself; every step of a
 * proof has a name and a place.
 */
#include "fuzz.h"
#include "prove/prove.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

static const char ddl[] =
    "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT, k INTEGER UNIQUE);"
    "CREATE TABLE c(id INTEGER PRIMARY KEY, pid INTEGER REFERENCES p(id),"
    " x INTEGER, s TEXT COLLATE NOCASE, d DATE, must INTEGER NOT NULL"
    " REFERENCES p(id));"
    "CREATE TABLE t(a INTEGER, b INTEGER NOT NULL, s TEXT, r REAL, x);"
    "CREATE VIEW v AS SELECT a, COUNT(*) AS n FROM t GROUP BY a;";

static const binding *first_query(arena *a,
                                  str sql,
                                  const schema *s,
                                  dialect d,
                                  arena scratch)
{
    parse_result r = parse_sql(a, sql, d, scratch);
    for (ast *n = r.statements; n; n = n->next) {
        if (ast_is_query(n)) {
            return bind_query(a, n, s, d, scratch);
        }
    }
    return NULL;
}

static void check_steps(const proof *p)
{
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        fuzz_must(p->steps.ptr[i].rule.len > 0);
        fuzz_must(p->steps.ptr[i].pos >= 0 && p->steps.ptr[i].len >= 0);
    }
    for (ptrdiff_t i = 0; i < p->n_columns; i++) {
        fuzz_must(p->columns[i] >= 0 && p->columns[i] < p->n_columns);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    if (size < 1) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str sql = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    dialect d = (dialect)(bytes[0] % DIALECT_COUNT);
    diag messages = diag_new(&a);
    schema s;
    fuzz_must(schema_from_ddl(&s, &a, S("ddl"), str_from(ddl), DIALECT_SQLITE,
                              DIALECT_SQLITE, &messages, scratch));
    ptrdiff_t cut = str_find(sql, S("-- "), 0);
    cut = cut < 0 ? sql.len : cut;
    const binding *l = first_query(&a, str_sub(sql, 0, cut), &s, d, scratch);
    const binding *r = first_query(&a, str_skip(sql, cut), &s, d, scratch);
    const prove_options options = {.assume = ASSUME_DEFAULT, .explains = true};
    if (l) {
        bool has_form = prove_canonical(&a, l, &options, NULL, scratch).len > 0;
        proof self = prove_pair(&a, l, l, &options, scratch);
        fuzz_must(self.is_proved == has_form || !has_form);
        check_steps(&self);
    }
    if (l && r) {
        proof there = prove_pair(&a, l, r, &options, scratch);
        proof back = prove_pair(&a, r, l, &options, scratch);
        fuzz_must(there.is_proved == back.is_proved);
        check_steps(&there);
    }
    return 0;
}
