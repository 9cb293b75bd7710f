/*
 * kind_plug.c - kind `plug`: the texts that --plug-values tries under the rules
 * of Spider.
 *
 * Sections gold and pred. Output: how many slots, values and variants there
 * are, the values, then the texts, one a line, the prediction first and `>`
 * before each. Keys: `show` (texts shown, 20), `most` (the cap), `distinct:
 * keep`.
 */
#include "evaluators/text_plug.h"
#include "kind.h"

static void add_line(buf *b, str s)
{
    for (ptrdiff_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\n') {
            buf_add(b, S("\\n"));
        } else {
            buf_char(b, s.ptr[i]);
        }
    }
    buf_char(b, '\n');
}

static void add_counts(buf *b, const text_plug *p)
{
    buf_printf(b, "%td slots, %td values, ", p->n_slots, p->n_values);
    if (p->n_variants == INT64_MAX) {
        buf_add(b, S("too many variants"));
    } else {
        buf_printf(b, "%lld variants", (long long)p->n_variants);
    }
    buf_add(b, text_plug_is_cut(p) ? S(", cut\n") : S("\n"));
    for (ptrdiff_t i = 0; i < p->n_values; i++) {
        buf_add(b, S("  "));
        add_line(b, p->values[i]);
    }
}

static void run_plug(test_case *c)
{
    arena *a = case_arena(c);
    const family_options how = {
        .keeps_distinct = str_equal(case_key(c, "distinct"), S("keep"))};
    const family_text gold =
        family_spider.gold(a, case_section(c, "gold"), how);
    const family_text pred =
        family_spider.pred(a, case_section(c, "pred"), how);
    text_plug p =
        text_plug_of(a, gold.prepared, pred.prepared,
                     case_key_int(c, "most", TEXT_PLUG_MOST), case_scratch(c));
    const int64_t n_shown = case_key_int(c, "show", 20);
    buf out = buf_new(a);
    add_counts(&out, &p);
    int64_t n = 0;
    arena texts = case_scratch(c);
    str sql;
    for (; text_plug_next(&p, &texts, &sql); n++) {
        if (n < n_shown) {
            buf_add(&out, S("> "));
            add_line(&out, sql);
        }
    }
    if (n > n_shown) {
        buf_printf(&out, "and %lld more\n", (long long)(n - n_shown));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_plug = {
    .name = "plug",
    .sections = "gold pred",
    .keys = "show most distinct",
    .run = run_plug,
};
