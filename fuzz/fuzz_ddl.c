/*
 * fuzz_ddl.c - any bytes are read as a script. Places stay within their lists;
 * what is read without a mistake is printed, and something is read from that;
 * it can always be written for SQLite.
 */
#include "fuzz.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "sql/print.h"

static void check_places(const schema *s)
{
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        const schema_table *t = &s->tables[i];
        fuzz_must(t->name.len >= 0 && t->n_columns >= 0);
        for (ptrdiff_t u = 0; u < t->n_uniques; u++) {
            fuzz_must(t->uniques[u].n > 0
                      && (u == 0 || !t->uniques[u].is_primary));
            for (ptrdiff_t k = 0; k < t->uniques[u].n; k++) {
                fuzz_must(t->uniques[u].columns[k] >= 0);
                fuzz_must(t->uniques[u].columns[k] < t->n_columns);
            }
        }
    }
    for (ptrdiff_t i = 0; i < s->n_keys; i++) {
        const schema_key *k = &s->keys[i];
        fuzz_must(k->child >= 0 && k->child < s->n_tables && k->n > 0);
        fuzz_must(k->parent < s->n_tables);
        for (ptrdiff_t c = 0; c < k->n; c++) {
            fuzz_must(k->columns[c] < s->tables[k->child].n_columns);
            fuzz_must(k->targets[c] < 0 || k->parent >= 0);
            fuzz_must(!k->is_sound || k->targets[c] >= 0);
        }
    }
}

// Words kept one by one need not be kept in the same pieces again, so trees are
// compared by the cases of kind ddl only.
static void check_print(arena a, const ast *n, dialect d, arena scratch)
{
    buf out = buf_new(&a);
    print_sql(&out, n, d, PRINT_ONE_LINE, scratch);
    parse_result again = parse_ddl(&a, buf_str(&out), d, scratch);
    fuzz_must(again.statements || again.errors.len > 0 || out.len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    enum {
        SIZE_MAX_TRIED = 4096
    };
    if (size == 0 || size > SIZE_MAX_TRIED) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str sql = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    dialect d = (dialect)(bytes[0] % DIALECT_COUNT);
    schema s;
    diag messages = diag_new(&a);
    bool whole = schema_from_ddl(&s, &a, S("fuzz"), sql, d, DIALECT_SQLITE,
                                 &messages, scratch);
    fuzz_must(whole == (messages.count == 0));
    check_places(&s);
    parse_result r = parse_ddl(&a, sql, d, scratch);
    for (const ast *n = r.errors.len > 0 ? NULL : r.statements; n;
         n = n->next) {
        check_print(a, n, d, scratch);
    }
    buf out = buf_new(&a);
    schema_to_ddl(&out, &s, true, scratch);
    schema_to_ddl(&out, &s, false, scratch);
    return 0;
}
