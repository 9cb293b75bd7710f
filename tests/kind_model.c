/*
 * kind_model.c - the kinds of what language models are told and say.
 *
 *   reply  answer, or answers, one a line: the decision that is read
 */
#include "kind.h"
#include "model/reply.h"

static void add_reading(buf *out, str answer, reply_end end, arena scratch)
{
    reply_reading r = reply_read(answer, end, scratch);
    buf_printf(out, "%-13.*s %-13.*s", STR_ARG(decision_word(r.decision)),
               STR_ARG(reply_rule_word(r.rule)));
    for (str words = r.words; words.len > 0;) {
        str line = str_trim(str_cut(&words, '\n'));
        buf_printf(out, " %.*s", STR_ARG(line));
    }
    buf_add(out, r.contradicts_self ? S("  (contradicts itself)") : S(""));
    while (out->ptr[out->len - 1] == ' ') {
        out->len--;
    }
    buf_char(out, '\n');
}

static void run_reply(test_case *c)
{
    buf out = buf_new(case_arena(c));
    bool is_cut = str_equal(case_key(c, "cut"), S("yes"));
    reply_end end = is_cut ? REPLY_END_CUT : REPLY_END_WHOLE;
    if (case_has_section(c, "answer")) {
        add_reading(&out, case_section(c, "answer"), end, case_scratch(c));
    }
    str rest = case_section(c, "answers");
    while (rest.len > 0) {
        add_reading(&out, str_cut(&rest, '\n'), end, case_scratch(c));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_reply = {
    .name = "reply",
    .sections = "answer answers",
    .keys = "cut",
    .run = run_reply,
};
