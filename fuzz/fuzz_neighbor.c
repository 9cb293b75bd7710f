/*
 * fuzz_neighbor.c - the law of neighbor.h: each neighbor parses, prints as the
 * text it has, and differs from the query and the others; the tree is left as
 * it was.
 */
#include "base/map.h"
#include "fuzz.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "sql/print.h"
#include "suite/neighbor.h"

static str print_one(arena *a, const ast *n, arena scratch)
{
    buf text = buf_new(a);
    print_sql(&text, n, DIALECT_SQLITE, PRINT_ONE_LINE, scratch);
    return buf_str(&text);
}

static void check_one(str sql, arena a, arena scratch)
{
    parse_result r = parse_sql(&a, sql, DIALECT_SQLITE, scratch);
    fuzz_must(r.errors.len == 0 && r.statements && !r.statements->next);
    fuzz_must(str_equal(print_one(&a, r.statements, scratch), sql));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    static fuzz_memory other;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    arena check = fuzz_clear(&other.store);
    str ddl =
        S("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c REAL);"
          "CREATE TABLE u (a INTEGER REFERENCES t (a), d DATE, \"e f\" TEXT)");
    schema s;
    diag d = diag_new(&a);
    fuzz_must(schema_from_ddl(&s, &a, S("ddl"), ddl, DIALECT_SQLITE,
                              DIALECT_SQLITE, &d, scratch));
    str sql = {(const char *)bytes, (ptrdiff_t)(size < 2000 ? size : 2000)};
    parse_result r = parse_sql(&a, sql, DIALECT_SQLITE, scratch);
    if (r.errors.len > 0 || !r.statements || !ast_is_query(r.statements)) {
        return 0;
    }
    binding *b = bind_query(&a, r.statements, &s, DIALECT_SQLITE, scratch);
    str gold = print_one(&a, r.statements, scratch);
    neighbor_options options = {.dialect = DIALECT_SQLITE, .max = 300};
    neighbor_list list = neighbors_of(&a, r.statements, b, &options, scratch);
    fuzz_must(str_equal(print_one(&a, r.statements, scratch), gold));
    map seen = {0};
    map_add(&seen, &a, gold);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        fuzz_must(map_add(&seen, &a, list.ptr[i].sql) == i + 1);
        check_one(list.ptr[i].sql, check, scratch);
    }
    return 0;
}
