/*
 * kind_prove.c - kind `prove`: are two queries equivalent, and how we know.
 *
 * Sections ddl, left, right. Output: the answer; of an unknown pair why. With
 * `show: all` also the rules of the proof and what they assume, or reason and
 * causes, the tables of the witness and both results: for cases where there is
 * only one smallest witness. Proofs are also searched for a
 * witness; if there is one, the answer is CONTRADICTION. Keys: `assume`
 * (words, or none), `columns: same`, `ignore` (causes), `databases`, `show`.
 */
#include "check/checker.h"
#include "engine/instance.h"
#include "kind.h"
#include "schema/schema_ddl.h"

static unsigned read_assume(test_case *c)
{
    str words = case_key(c, "assume");
    if (words.len == 0) {
        return ASSUME_DEFAULT;
    }
    unsigned set = 0;
    while (words.len > 0) {
        str word = str_trim(str_cut(&words, ','));
        bool found = str_equal(word, S("none"));
        for (unsigned bit = 1; bit <= ASSUME_LAST; bit <<= 1) {
            if (str_equal(assume_word(bit), word)) {
                set |= bit;
                found = true;
            }
        }
        if (!found) {
            case_broken(c, "unknown assumption '%.*s'", STR_ARG(word));
        }
    }
    return set;
}

static unsigned read_ignored(test_case *c)
{
    str words = case_key(c, "ignore");
    unsigned set = 0;
    while (words.len > 0) {
        cause one;
        str word = str_trim(str_cut(&words, ','));
        if (!cause_from_word(word, &one)) {
            case_broken(c, "unknown cause '%.*s'", STR_ARG(word));
            return 0;
        }
        set |= 1u << one;
    }
    return set;
}

static void add_rows(buf *out, const table *t)
{
    if (t->n_rows == 0) {
        buf_add(out, S(" no rows"));
    }
    for (ptrdiff_t i = 0; i < t->n_rows * t->n_columns; i++) {
        buf_add(out, i % t->n_columns == 0 ? S(" (") : S(", "));
        instance_add_value(out, t->cells[i]);
        if (i % t->n_columns == t->n_columns - 1) {
            buf_char(out, ')');
        }
    }
}

static void add_words(buf *out, str before, unsigned set, str (*word)(unsigned))
{
    for (unsigned bit = 1; bit != 0 && bit <= set; bit <<= 1) {
        if (set & bit) {
            buf_add(out, before);
            buf_add(out, word(bit));
            before = S(", ");
        }
    }
}

static str cause_of_bit(unsigned bit)
{
    int c = 0;
    while (bit > 1) {
        bit >>= 1;
        c++;
    }
    return cause_word((cause)c);
}

static void add_witness(buf *out, const check_witness *w)
{
    for (ptrdiff_t t = 0; t < w->n_tables; t++) {
        const check_table *one = &w->tables[t];
        buf_add(out, one->name);
        for (ptrdiff_t c = 0; c < one->rows.n_columns; c++) {
            buf_add(out, c == 0 ? S("(") : S(", "));
            buf_add(out, one->rows.names[c]);
        }
        buf_add(out, S("):"));
        add_rows(out, &one->rows);
        buf_char(out, '\n');
    }
    const table *results[] = {&w->left, &w->right};
    const str errors[] = {w->left_error, w->right_error};
    for (int i = 0; w->sql.len > 0 && i < 2; i++) {
        buf_add(out, i == 0 ? S("left:") : S("; right:"));
        if (errors[i].len > 0) {
            buf_char(out, ' ');
            buf_add(out, errors[i]);
        } else {
            add_rows(out, results[i]);
        }
    }
}

static void add_proof(buf *out, const proof *p)
{
    for (int k = PROVE_LEFT; k <= PROVE_RIGHT; k++) {
        str before = k == PROVE_LEFT ? S("\nleft: ") : S("\nright: ");
        for (ptrdiff_t i = 0; i < p->steps.len; i++) {
            if ((int)p->steps.ptr[i].side == k) {
                buf_add(out, before);
                buf_add(out, p->steps.ptr[i].rule);
                before = S(", ");
            }
        }
    }
    add_words(out, S("\nassumes "), p->assumptions, assume_word);
}

static void show(buf *out, const check_verdict *v, bool shows_all)
{
    buf_add(out, v->is_contradicted ? S("CONTRADICTION ") : S(""));
    buf_add(out, check_answer_word(v->answer));
    if (v->answer != CHECK_UNKNOWN && !shows_all) {
        return;
    }
    if (v->is_stable) {
        buf_add(out, S(" (stable)"));
    }
    buf_add(out, v->reason.len > 0 ? S(": ") : S(""));
    buf_add(out, v->reason);
    add_words(out, S("; "), v->causes, cause_of_bit);
    if (v->answer != CHECK_EQUIVALENT && v->evidence != EVIDENCE_WITNESS
        && v->detail.len > 0) {
        buf_printf(out, "\n%.*s", STR_ARG(v->detail));
    }
    buf_char(out, v->witness.n_tables > 0 ? '\n' : ' ');
    add_witness(out, &v->witness);
    if (v->answer == CHECK_EQUIVALENT) {
        add_proof(out, &v->proof);
    }
}

static void run_prove(test_case *c)
{
    arena *a = case_arena(c);
    diag d = diag_new(a);
    schema s;
    if (!schema_from_ddl(&s, a, S("ddl"), case_section(c, "ddl"),
                         DIALECT_SQLITE, DIALECT_SQLITE, &d, case_scratch(c))) {
        case_broken(c, "%.*s", STR_ARG(d.messages.ptr[0].text));
        return;
    }
    check_options o = check_default_options();
    o.assume = read_assume(c);
    o.ignored = read_ignored(c);
    o.by_position = str_equal(case_key(c, "columns"), S("same"));
    o.databases = case_key_int(c, "databases", o.databases);
    o.timeout_ms = 0;
    o.tries_all = true;
    checker *ck = checker_open(a, &s, &o, &d, case_scratch(c));
    if (!ck) {
        case_broken(c, "%.*s", STR_ARG(d.messages.ptr[0].text));
        return;
    }
    check_verdict v =
        checker_pair(ck, case_section(c, "left"), case_section(c, "right"),
                     DIALECT_SQLITE, a, case_scratch(c));
    buf out = buf_new(a);
    show(&out, &v, str_equal(case_key(c, "show"), S("all")));
    checker_close(ck);
    case_output(c, "", str_trim(buf_str(&out)));
}

const test_kind kind_prove = {
    .name = "prove",
    .sections = "ddl left right",
    .keys = "assume columns ignore databases show",
    .run = run_prove,
};
