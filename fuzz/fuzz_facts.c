/*
 * fuzz_facts.c - a file of facts about a schema, whatever its bytes are, names
 * only what the schema has; the schema that obeys the facts can be written.
 */
#include "facts/fact.h"
#include "fuzz.h"
#include "schema/schema_ddl.h"

static const str ddl = S_INIT(
    "CREATE TABLE a(x INTEGER);"
    "CREATE TABLE b(p INTEGER PRIMARY KEY, q TEXT, y INTEGER REFERENCES a(x),"
    " w REAL, UNIQUE (p, w));");

static void check_places(const int32_t *columns,
                         ptrdiff_t n,
                         const schema_table *t)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        fuzz_must(columns[i] >= 0 && columns[i] < t->n_columns);
    }
}

static void check_fact(const schema *s, const fact *f)
{
    fuzz_must(f->table >= 0 && f->table < s->n_tables);
    fuzz_must(f->parent >= 0 && f->parent < s->n_tables);
    check_places(f->columns, f->n_columns, &s->tables[f->table]);
    check_places(f->targets, f->n_targets, &s->tables[f->parent]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str text = {(const char *)bytes, (ptrdiff_t)size};
    diag d = diag_new(&a);
    schema s;
    facts f;
    fuzz_must(schema_from_ddl(&s, &a, S("s"), ddl, DIALECT_SQLITE,
                              DIALECT_SQLITE, &d, scratch));
    if (!facts_from_text(&f, &a, &s, S("x"), text, &d, scratch)) {
        fuzz_must(d.count > 0);
        return 0;
    }
    buf out = buf_new(&a);
    for (ptrdiff_t i = 0; i < f.list.len; i++) {
        check_fact(&s, &f.list.ptr[i]);
        fact_show(&out, &s, &f.list.ptr[i]);
    }
    facts_to_text(&out, &f);
    const schema *obeying = facts_apply(&a, &s, &f, FACTS_ALL, scratch);
    schema_to_ddl(&out, obeying, true, scratch);
    fuzz_must(out.len > 0);
    return 0;
}
