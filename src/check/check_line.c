/*
 * check_line.c - members are written in a fixed order.
 *
 * Method      A member is left out where it says nothing (no proof, no witness,
 *             no causes), so that lines of two runs can be compared as text.
 *
 * Cost        Linear in the witness and in the steps of the proof.
 */
#include "check/check_line.h"

#include "base/json_write.h"

#include <assert.h>

static void add_side(buf *out,
                     str key,
                     const table *t,
                     str error,
                     arena scratch)
{
    json_key(out, key);
    if (error.len > 0) {
        json_write(out, json_begin('{'), member_text_or_null(S("error"), error),
                   json_end("}"));
    } else {
        table_add_json(out, t, scratch);
    }
}

static void add_witness(buf *out, const check_witness *w, arena scratch)
{
    json_write(out, member_open(S("witness"), '{'),
               member_text(S("sql"), w->sql));
    add_side(out, S("left"), &w->left, w->left_error, scratch);
    add_side(out, S("right"), &w->right, w->right_error, scratch);
    buf_char(out, '}');
}

static void add_proof(buf *out, const proof *p)
{
    json_write(out, member_open(S("proof"), '['));
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        const proof_step *step = &p->steps.ptr[i];
        json_write(out, json_begin('{'),
                   member_text_or_null(S("side"), step->side == PROVE_LEFT
                                                      ? S("left")
                                                      : S("right")),
                   member_text_or_null(S("rule"), step->rule));
        json_key(out, S("span"));
        buf_printf(out, "[%d,%d]", step->pos, step->pos + step->len);
        if (step->form.len > 0) {
            json_write(out, member_text_or_null(S("form"), step->form));
        }
        buf_char(out, '}');
    }
    buf_char(out, ']');
    if (p->is_permuted) {
        assert(p->columns);  // as many as the left side shows
        json_write(out, member_open(S("columns"), '['));
        for (ptrdiff_t i = 0; i < p->n_columns; i++) {
            json_write(out, json_int(p->columns[i]));
        }
        buf_char(out, ']');
    }
}

// Of a proof those that it needs, of a search those that all databases tried
// satisfy.
static void add_assumptions(buf *out, const check_verdict *v)
{
    bool is_proved = v->answer == CHECK_EQUIVALENT;
    unsigned set = is_proved ? v->proof.assumptions : v->assumed;
    json_write(out, member_open(S("assumptions"), '['));
    for (unsigned bit = 1; bit != 0 && bit <= set; bit <<= 1) {
        if (set & bit) {
            json_write(out, json_text(assume_word(bit)));
        }
    }
    if (v->is_translated) {
        json_write(out, json_text(S("sqlite-semantics")));
    }
    if (v->has_used_types) {
        json_next(out);
        json_add_text(out, S("types-as-used"));
    }
    buf_char(out, ']');
}

static void add_causes(buf *out, unsigned causes)
{
    json_write(out, member_open(S("causes"), '['));
    for (int c = 0; c < CAUSE_COUNT; c++) {
        if (causes & (1u << c)) {
            json_write(out, json_text(cause_word((cause)c)));
        }
    }
    buf_char(out, ']');
}

static void add_sentences(buf *out, str key, const str_list *list)
{
    if (list->len == 0) {
        return;
    }
    json_write(out, member_texts(key, list->ptr, list->len));
}

static void add_world(buf *out, const check_verdict *v)
{
    if (v->answer == CHECK_DIFFERENT) {
        json_key(out, S("realistic"));
        buf_add(out, v->realism == REALISM_YES  ? S("true")
                     : v->realism == REALISM_NO ? S("false")
                                                : S("null"));
    }
    add_sentences(out, S("breaks"), &v->breaks);
    add_sentences(out, S("equivalent_if"), &v->needs);
}

static void add_search(buf *out, const check_verdict *v)
{
    json_write(out, member_int(S("databases"), v->databases),
               member_int(S("rows"), v->most_rows),
               member_int(S("unstable"), v->unstable));
    if (v->illegal > 0) {
        json_write(out, member_int(S("illegal"), v->illegal));
    }
    if (v->is_vacuous) {
        json_key(out, S("vacuous"));
        buf_add(out, S("true"));
    }
}

static void add_asked(buf *out, str key, str text)
{
    if (text.len > 0) {
        json_write(out, member_text(key, text));
    }
}

void check_line_add(buf *out,
                    const check_asked *asked,
                    const check_verdict *v,
                    bool with_times,
                    arena scratch)
{
    json_write(out, json_begin('{'), member_text(S("id"), asked->id));
    add_asked(out, S("left"), asked->left);
    add_asked(out, S("right"), asked->right);
    add_asked(out, S("label"), asked->label);
    json_write(
        out, member_text_or_null(S("verdict"), check_answer_word(v->answer)),
        member_text_or_null(S("evidence"), check_evidence_word(v->evidence)),
        member_text_or_null(S("reason"), v->reason));
    if (v->detail.len > 0) {
        json_write(out, member_text_or_null(S("detail"), v->detail));
    }
    add_causes(out, v->causes);
    add_world(out, v);
    if (v->evidence == EVIDENCE_WITNESS) {
        json_write(out, member_text_or_null(S("strength"), v->is_stable
                                                               ? S("stable")
                                                               : S("certain")));
        add_witness(out, &v->witness, scratch);
    }
    if (v->answer == CHECK_EQUIVALENT) {
        if (v->proof.is_rounded) {
            json_write(out, member_text_or_null(S("strength"), S("rounding")));
        }
        add_proof(out, &v->proof);
    }
    add_assumptions(out, v);
    if (v->evidence == EVIDENCE_WITNESS || v->evidence == EVIDENCE_BOUND) {
        add_search(out, v);
    }
    if (v->answer == CHECK_UNKNOWN && v->proof.obstacle.len > 0) {
        json_write(out, member_text_or_null(S("obstacle"), v->proof.obstacle));
    }
    if (v->answer == CHECK_UNKNOWN
        && (v->proof.lacks_solver || v->proof.gave_up)) {
        json_write(out, member_text_or_null(S("solver"), v->proof.gave_up
                                                             ? S("limit")
                                                             : S("none")));
    }
    if (with_times) {
        json_write(out, member_fixed(S("ms"), (double)v->ns / 1e6, 3));
    }
    buf_add(out, S("}\n"));
}
