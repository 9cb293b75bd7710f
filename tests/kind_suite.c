/*
 * kind_suite.c - the kind of near misses.
 *
 *   neighbor  sql and the schema it is written for (ddl): its neighbors, each
 *             with its kind; `kinds: a b` shows only those. The kind also
 *             checks the law of neighbor.h, and that the tree is left as it was
 */
#include "kind.h"
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

// Says on `out` which part of the law does not hold.
static void check_law(buf *out, str gold, str sql, arena a, arena scratch)
{
    parse_result r = parse_sql(&a, sql, DIALECT_SQLITE, scratch);
    if (r.errors.len > 0 || !r.statements || r.statements->next) {
        buf_printf(out, "does not parse: %.*s\n", STR_ARG(sql));
        return;
    }
    if (!str_equal(print_one(&a, r.statements, scratch), sql)) {
        buf_printf(out, "is not stable: %.*s\n", STR_ARG(sql));
    }
    if (str_equal(gold, sql)) {
        buf_printf(out, "is the gold: %.*s\n", STR_ARG(sql));
    }
}

static bool is_shown(str kinds, str word)
{
    bool shown = kinds.len == 0;
    while (kinds.len > 0 && !shown) {
        shown = str_equal(str_cut(&kinds, ' '), word);
    }
    return shown;
}

static void add_neighbors(test_case *c, buf *out, const schema *s, ast *query)
{
    arena *a = case_arena(c);
    arena scratch = case_scratch(c);
    arena other = scratch;
    other.next += (scratch.end - scratch.next) / 2;
    scratch.end = other.next;
    binding *b = bind_query(a, query, s, DIALECT_SQLITE, other);
    str gold = print_one(a, query, other);
    neighbor_options options = {
        .dialect = DIALECT_SQLITE,
        .seed = (uint64_t)case_key_int(c, "seed", 0),
        .max = case_key_int(c, "max", 0),
    };
    neighbor_list list = neighbors_of(a, query, b, &options, other);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        str word = neighbor_word(list.ptr[i].kind);
        if (is_shown(case_key(c, "kinds"), word)) {
            buf_printf(out, "%-14.*s  %.*s\n", STR_ARG(word),
                       STR_ARG(list.ptr[i].sql));
        }
        check_law(out, gold, list.ptr[i].sql, scratch, other);
    }
    if (!str_equal(print_one(a, query, other), gold)) {
        buf_add(out, S("the tree is not as it was\n"));
    }
}

static void run_neighbor(test_case *c)
{
    schema s;
    diag d = diag_new(case_arena(c));
    if (!schema_from_ddl(&s, case_arena(c), S("ddl"), case_section(c, "ddl"),
                         DIALECT_SQLITE, DIALECT_SQLITE, &d, case_scratch(c))) {
        case_broken(c, "the ddl is broken");
        return;
    }
    parse_result r = parse_sql(case_arena(c), case_section(c, "sql"),
                               DIALECT_SQLITE, case_scratch(c));
    if (r.errors.len > 0 || !r.statements) {
        case_broken(c, "the query does not parse");
        return;
    }
    buf out = buf_new(case_arena(c));
    add_neighbors(c, &out, &s, r.statements);
    case_output(c, "", buf_str(&out));
}

const test_kind kind_neighbor = {
    .name = "neighbor",
    .sections = "ddl sql",
    .keys = "kinds seed max",
    .run = run_neighbor,
};
