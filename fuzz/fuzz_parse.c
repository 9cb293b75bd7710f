/*
 * fuzz_parse.c - any bytes are parsed and dumped; what is parsed without a
 * mistake is printed, and the printed text reads as the same tree and prints
 * as the same text, in both layouts.
 */
#include "fuzz.h"
#include "sql/parse.h"
#include "sql/print.h"

typedef struct span_check {
    ptrdiff_t size;
    ptrdiff_t nodes;
} span_check;

static bool check_span(void *context, const ast *n)
{
    span_check *c = context;
    c->nodes++;
    fuzz_must(n->pos >= 0 && n->len >= 0);
    fuzz_must((ptrdiff_t)n->pos + n->len <= c->size);
    return true;
}

static void check_print(arena a,
                        const ast *n,
                        dialect d,
                        print_layout layout,
                        arena scratch)
{
    buf first = buf_new(&a);
    print_sql(&first, n, d, layout, scratch);
    str text = arena_str(&a, buf_str(&first));
    parse_result again = parse_sql(&a, text, d, scratch);
    fuzz_must(again.errors.len == 0);
    fuzz_must(again.statements && !again.statements->next);
    fuzz_must(ast_equal(n, again.statements));
    buf second = buf_new(&a);
    print_sql(&second, again.statements, d, layout, scratch);
    fuzz_must(str_equal(text, buf_str(&second)));
}

static void check_tree(arena a, str sql, const ast *n, arena scratch)
{
    span_check spans = {.size = sql.len};
    ast_walk(n, check_span, &spans);
    fuzz_must(spans.nodes > 0);
    const ast *copy = ast_copy(&a, n);
    fuzz_must(ast_equal(n, copy));
    buf dump = buf_new(&a);
    ast_dump(&dump, n);
    ptrdiff_t flat = dump.len;
    ast_dump_pretty(&dump, n, scratch);
    fuzz_must(dump.len >= flat + flat);
}

// A whole text with its comments: all of them are there, and laid out again
// nothing changes.
static void check_script(arena a,
                         str sql,
                         const parse_result *r,
                         dialect d,
                         print_layout layout,
                         arena scratch)
{
    buf first = buf_new(&a);
    print_script(&first, sql, r, d, layout, scratch);
    str text = arena_str(&a, buf_str(&first));
    parse_result again = parse_file(&a, text, d, scratch);
    fuzz_must(again.errors.len == 0);
    fuzz_must(again.comments.len == r->comments.len);
    const ast *x = r->statements;
    const ast *y = again.statements;
    while (x && y && ast_equal(x, y)) {
        x = x->next;
        y = y->next;
    }
    fuzz_must(!x && !y);
    buf second = buf_new(&a);
    print_script(&second, text, &again, d, layout, scratch);
    fuzz_must(str_equal(text, buf_str(&second)));
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
    parse_result r = parse_sql(&a, sql, d, scratch);
    for (ptrdiff_t i = 0; i < r.errors.len; i++) {
        parse_error e = r.errors.ptr[i];
        fuzz_must(e.pos >= 0 && (ptrdiff_t)e.pos + e.len <= sql.len);
        fuzz_must(e.text.len > 0);
        fuzz_must(parse_error_show(&a, S("f"), sql, e).len > 0);
    }
    parse_result file = parse_file(&a, sql, d, scratch);
    if (file.errors.len == 0) {
        check_script(a, sql, &file, d, PRINT_ONE_LINE, scratch);
        check_script(a, sql, &file, d, PRINT_PRETTY, scratch);
    }
    for (const ast *n = r.statements; n; n = n->next) {
        check_tree(a, sql, n, scratch);
        if (r.errors.len == 0) {
            check_print(a, n, d, PRINT_ONE_LINE, scratch);
            check_print(a, n, d, PRINT_PRETTY, scratch);
        }
    }
    return 0;
}
