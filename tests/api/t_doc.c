// t_doc.c - a document is the same in every format, and each escapes its own.
#include "check.h"
#include "report/doc.h"

static str cell(const void *what, arena *a, cell_at p)
{
    const int64_t *counts = what;
    return p.at[AXIS_METRIC] < 0
               ? S("-")
               : cell_int(a, counts[p.at[AXIS_RUN] * 2 + p.at[AXIS_METRIC]]);
}

// A line, and a table of two runs by two metrics of which one is nobody's.
static doc made(arena *a, report_look look)
{
    static const int64_t counts[] = {1, 22, 333, 4};
    axis runs = {.of = AXIS_RUN};
    axis metrics = {.of = AXIS_METRIC};
    doc d = doc_new(a, look);
    axis_add(&runs, a, S("a|<b>"), 0);
    axis_add(&runs, a, S(""), 1);
    axis_add_words(&metrics, a, S("none|exec|set"), -1);
    doc_say(&d, "%d runs\n", 2);
    grid_cross(doc_table(&d, S("run")), &runs, &metrics, (cell_at){0}, cell,
               counts);
    doc_table(&d, S("without|a row"));
    return d;
}

static void people_read_it(void **state)
{
    arena *a = check_arena(state);
    doc d = made(a, (report_look){.width = 80});
    buf out = buf_new(a);
    doc_write(&d, &out);
    check_str(buf_str(&out), S("2 runs\n"
                               "\n"
                               "run    none  exec  set\n"
                               "a|<b>     -     1   22\n"
                               "run       -   333    4\n"));
}

// Each block has the labels, however narrow the page.
static void narrow_pages_have_blocks(void **state)
{
    arena *a = check_arena(state);
    doc d = made(a, (report_look){.width = 1});
    buf out = buf_new(a);
    d.nodes.len = 2;
    doc_write(&d, &out);
    check_str(buf_str(&out), S("2 runs\n"
                               "\n"
                               "run    none\na|<b>     -\nrun       -\n"
                               "\n"
                               "run    exec\na|<b>     1\nrun     333\n"
                               "\n"
                               "run    set\na|<b>   22\nrun      4\n"));
}

static void formats_escape(void **state)
{
    arena *a = check_arena(state);
    doc d = made(a, (report_look){.is_markdown = true});
    buf markdown = buf_new(a);
    doc_write(&d, &markdown);
    check_str(buf_str(&markdown), S("2 runs\n"
                                    "\n"
                                    "| run | none | exec | set |\n"
                                    "|---|---:|---:|---:|\n"
                                    "| a\\|&lt;b> | - | 1 | 22 |\n"
                                    "| run | - | 333 | 4 |\n"));
    buf html = buf_new(a);
    doc_html(&d, &html);
    check_str(buf_str(&html),
              S("<table>\n"
                "<tr><th>run</th><th>none</th><th>exec</th><th>set</th></tr>\n"
                "<tr><th>a|&lt;b&gt;</th><td>-</td><td>1</td><td>22</td></tr>\n"
                "<tr><th>run</th><td>-</td><td>333</td><td>4</td></tr>\n"
                "</table>\n"));
    buf rows = buf_new(a);
    doc_json(&d, &rows);
    check_str(buf_str(&rows), S("[[\"run\",\"none\",\"exec\",\"set\"],"
                                "[\"a|<b>\",\"-\",\"1\",\"22\"],"
                                "[\"run\",\"-\",\"333\",\"4\"]]"));
}

// Rows may be of any length: what is missing is empty.
static void rows_may_be_short(void **state)
{
    arena *a = check_arena(state);
    grid g = {.a = a};
    layout_block lines = {0};
    grid_row(&g, S("x"), S("y"));
    grid_row(&g, S("long"));
    assert_int_equal(g.n_columns, 2);
    check_str(grid_at(&g, 1, 1), S(""));
    grid_lines(&g, &lines);
    check_str(lines.lines.ptr[0], S("  x    | y"));
    check_str(lines.lines.ptr[1], S("  long |"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(people_read_it),
        CHECK_TEST(narrow_pages_have_blocks),
        CHECK_TEST(formats_escape),
        CHECK_TEST(rows_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
