/*
 * kind_parse.c - the kinds of trees and of printed SQL.
 *
 *   parse  sql: its trees as s-expressions, then its mistakes, each with the
 *          line and a mark; `errors: only` leaves the trees out
 *   print  sql: each statement on one line; `layout: pretty` over several. The
 *          kind also checks the law of print.h, in both layouts
 *   features sql: what it uses of SQL, a line a statement
 *   script sql: all of it, with its comments; `layout: oneline`. Laid out again
 *          it must not change
 */
#include "kind.h"
#include "sql/features.h"
#include "sql/parse.h"
#include "sql/print.h"

static bool parse_section(test_case *c, parse_result *r, dialect *d)
{
    *d = DIALECT_SQLITE;
    str word = case_key(c, "dialect");
    if (word.len > 0 && !dialect_from_word(word, d)) {
        case_broken(c, "no dialect '%.*s'", STR_ARG(word));
        return false;
    }
    *r = parse_sql(case_arena(c), case_section(c, "sql"), *d, case_scratch(c));
    return true;
}

static void add_errors(buf *out, test_case *c, const parse_result *r)
{
    for (ptrdiff_t i = 0; i < r->errors.len; i++) {
        arena scratch = case_scratch(c);
        str shown = parse_error_show(&scratch, S("sql"), case_section(c, "sql"),
                                     r->errors.ptr[i]);
        buf_add(out, shown);
    }
}

static void run_parse(test_case *c)
{
    dialect d;
    parse_result r;
    if (!parse_section(c, &r, &d)) {
        return;
    }
    buf out = buf_new(case_arena(c));
    bool only = str_equal(case_key(c, "errors"), S("only"));
    for (const ast *n = only ? NULL : r.statements; n; n = n->next) {
        ast_dump_pretty(&out, n, case_scratch(c));
        buf_char(&out, '\n');
    }
    add_errors(&out, c, &r);
    case_output(c, "", buf_str(&out));
}

const test_kind kind_parse = {
    .name = "parse",
    .sections = "sql",
    .keys = "dialect errors",
    .run = run_parse,
};

// Says on `out` which part of the law of print.h does not hold.
static void check_law(buf *out,
                      test_case *c,
                      const ast *n,
                      dialect d,
                      print_layout layout)
{
    arena scratch = case_scratch(c);
    arena other = scratch;
    other.next += (scratch.end - scratch.next) / 2;
    scratch.end = other.next;
    buf first = buf_new(&scratch);
    print_sql(&first, n, d, layout, other);
    arena tree = scratch;
    parse_result r = parse_sql(&tree, buf_str(&first), d, other);
    bool same = r.errors.len == 0 && r.statements && !r.statements->next
                && ast_equal(n, r.statements);
    if (!same) {
        buf_printf(out, "reads as another tree: %.*s\n",
                   STR_ARG(buf_str(&first)));
        return;
    }
    buf second = buf_new(&tree);
    print_sql(&second, r.statements, d, layout, other);
    if (!str_equal(buf_str(&first), buf_str(&second))) {
        buf_printf(out, "not stable: %.*s\n", STR_ARG(buf_str(&second)));
    }
}

static void run_print(test_case *c)
{
    dialect d;
    parse_result r;
    if (!parse_section(c, &r, &d)) {
        return;
    }
    bool pretty = str_equal(case_key(c, "layout"), S("pretty"));
    buf out = buf_new(case_arena(c));
    add_errors(&out, c, &r);
    for (const ast *n = r.errors.len > 0 ? NULL : r.statements; n;
         n = n->next) {
        print_sql(&out, n, d, pretty ? PRINT_PRETTY : PRINT_ONE_LINE,
                  case_scratch(c));
        buf_char(&out, '\n');
        check_law(&out, c, n, d, PRINT_ONE_LINE);
        check_law(&out, c, n, d, PRINT_PRETTY);
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_print = {
    .name = "print",
    .sections = "sql",
    .keys = "dialect layout",
    .run = run_print,
};

static void run_script(test_case *c)
{
    dialect d;
    parse_result r;
    if (!parse_section(c, &r, &d)) {
        return;
    }
    r = parse_file(case_arena(c), case_section(c, "sql"), d, case_scratch(c));
    bool oneline = str_equal(case_key(c, "layout"), S("oneline"));
    print_layout layout = oneline ? PRINT_ONE_LINE : PRINT_PRETTY;
    buf out = buf_new(case_arena(c));
    add_errors(&out, c, &r);
    if (r.errors.len == 0) {
        print_script(&out, case_section(c, "sql"), &r, d, layout,
                     case_scratch(c));
    }
    str text = arena_str(case_arena(c), buf_str(&out));
    case_output(c, "", text);
    arena a = case_scratch(c);
    arena other = a;
    a.end = a.next + (a.end - a.next) / 2;
    other.next = a.end;
    parse_result again = parse_file(&a, text, d, other);
    buf second = buf_new(&a);
    print_script(&second, text, &again, d, layout, other);
    bool same = r.errors.len > 0 || str_equal(text, buf_str(&second));
    if (!same) {
        case_output(c, "again", arena_str(case_arena(c), buf_str(&second)));
    }
}

const test_kind kind_script = {
    .name = "script",
    .sections = "sql",
    .keys = "dialect layout",
    .run = run_script,
};

static void run_features(test_case *c)
{
    dialect d;
    parse_result r;
    if (!parse_section(c, &r, &d)) {
        return;
    }
    buf out = buf_new(case_arena(c));
    add_errors(&out, c, &r);
    for (const ast *n = r.statements; n; n = n->next) {
        sql_features features = sql_features_of(n);
        for (int f = 0; f < FEATURE_COUNT; f++) {
            if (features.n[f] != 0) {
                str word = sql_feature_word((sql_feature)f);
                buf_printf(&out, "%.*s %d, ", STR_ARG(word), features.n[f]);
            }
        }
        out.len -= str_ends(buf_str(&out), S(", ")) ? 2 : 0;
        buf_char(&out, '\n');
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_features = {
    .name = "features",
    .sections = "sql",
    .keys = "dialect",
    .run = run_features,
};
