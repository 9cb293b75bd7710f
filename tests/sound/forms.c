/*
 * forms.c - the canonical form of each query, a line for a line; an empty one
 * where it has none.
 *
 *     forms DDL DIALECT < queries
 *
 * Queries of one form are proved equivalent: n of them are n * n pairs at the
 * price of n (see sound.py).
 */
#include "prove/prove.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

#include <stdio.h>

static str form_of(arena *a, str sql, const schema *s, dialect d, arena scratch)
{
    parse_result r = parse_sql(a, sql, d, scratch);
    if (r.errors.len > 0 || !r.statements || !ast_is_query(r.statements)) {
        return (str){0};
    }
    const binding *b = bind_query(a, r.statements, s, d, scratch);
    const prove_options options = {.assume = ASSUME_DEFAULT};
    return b->problems.len > 0 ? (str){0}
                               : prove_canonical(a, b, &options, NULL, scratch);
}

int main(int argc, char **argv)
{
    arena_store keep;
    arena_store memory;
    arena_store scratch;
    dialect d;
    if (argc != 3 || !dialect_from_word(str_from(argv[2]), &d)
        || !arena_store_open(&keep, (ptrdiff_t)1 << 30)
        || !arena_store_open(&memory, (ptrdiff_t)1 << 30)
        || !arena_store_open(&scratch, (ptrdiff_t)1 << 30)) {
        return 2;
    }
    arena lasting = arena_store_clear(&keep);
    diag problems = diag_new(&lasting);
    schema s = {0};
    if (!schema_from_ddl(&s, &lasting, S("ddl"), str_from(argv[1]), d,
                         DIALECT_SQLITE, &problems,
                         arena_store_clear(&scratch))) {
        return 2;
    }
    static char line[1 << 16];
    while (fgets(line, sizeof(line), stdin)) {
        arena a = arena_store_clear(&memory);
        str sql = str_trim(str_from(line));
        str form = form_of(&a, sql, &s, d, arena_store_clear(&scratch));
        for (ptrdiff_t i = 0; i < form.len; i++) {
            putchar(form.ptr[i] == '\n' ? ' ' : form.ptr[i]);
        }
        putchar('\n');
    }
    return 0;
}
