/*
 * kind_model.c - the kinds of what language models are told and say.
 *
 *   reply  answer, or answers, one a line: the decision that is read
 *   chat   body, of a response with the status `http`: what is taken from it
 *   asked_pair  left, right, schema (tables.json): the messages that are sent;
 *          template: in place of a built-in prompt
 */
#include "kind.h"
#include "model/judge_session.h"
#include "model/prompt_schema.h"
#include "model/reply.h"
#include "schema/schema_spider.h"

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

static void run_chat(test_case *c)
{
    static const char *const words[] = {
        [CHAT_OK] = "ok",
        [CHAT_AGAIN] = "again",
        [CHAT_REFUSED] = "refused",
        [CHAT_HOPELESS] = "hopeless",
    };
    arena *a = case_arena(c);
    chat_answer answer = {0};
    chat_read_response(&answer, a, case_key_int(c, "http", 200),
                       case_section(c, "body"), case_key(c, "api_key"));
    buf out = buf_new(a);
    buf_printf(&out, "%s%s\n", words[answer.status],
               answer.is_cut ? ", cut" : "");
    if (answer.status == CHAT_OK) {
        buf_printf(&out, "%lld tokens in, %lld out\n%.*s\n",
                   (long long)answer.tokens_in, (long long)answer.tokens_out,
                   STR_ARG(answer.text));
    } else {
        buf_printf(&out, "%.*s\n", STR_ARG(answer.error));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_chat = {
    .name = "chat",
    .sections = "body",
    .keys = "http api_key",
    .run = run_chat,
};

// The schema of the case as a prompt shows it; false when the case is broken.
static bool case_schema(test_case *c, str *out)
{
    arena *a = case_arena(c);
    schema_list list = {0};
    diag d = diag_new(a);
    str text = case_section(c, "schema");
    const str queries[] = {case_section(c, "left"), case_section(c, "right")};
    if (text.len == 0) {
        return true;
    }
    if (!schema_list_read(&list, a, S("schema"), text, &d, case_scratch(c))) {
        case_broken(c, "%.*s", STR_ARG(d.messages.ptr[0].text));
        return false;
    }
    *out = prompt_schema(a, &list.schemas.ptr[0], queries, countof(queries),
                         (ptrdiff_t)case_key_int(c, "max_bytes", 100000),
                         case_scratch(c));
    return true;
}

static void run_asked_pair(test_case *c)
{
    arena *a = case_arena(c);
    diag d = diag_new(a);
    prompt p;
    str text = case_section(c, "template");
    diag_place place = {.file = S("template")};
    bool ok = text.len > 0 ? prompt_read(&p, a, text, place, &d)
                           : prompt_open(&p, a, case_key(c, "prompt"), &d);
    buf out = buf_new(a);
    str schema_text = {0};
    const str *known = NULL;
    ptrdiff_t n_known = session_fields(&known);
    if (!ok) {
        case_output(c, "", diag_format(a, d.messages.ptr[0]));
        return;
    }
    str unknown = prompt_unknown_field(&p, known, n_known);
    if (unknown.len > 0) {
        case_output(c, "", arena_printf(a, "unknown {%.*s}", STR_ARG(unknown)));
        return;
    }
    session_options o = {
        .prompt = &p,
        .model = S("m"),
        .n_shots = (ptrdiff_t)case_key_int(c, "shots", 0),
        .max_rows = 10,
        .dialect = S("SQLite"),
    };
    judge_pair pair = {.left = case_section(c, "left"),
                       .right = case_section(c, "right")};
    session s;
    if (case_schema(c, &schema_text)) {
        session_begin(
            &s, a, &o, &pair, schema_text,
            (session_vote){.is_swapped = case_key_int(c, "swap", 0) != 0,
                           .seed = -1},
            case_scratch(c));
        for (ptrdiff_t i = 0; i < s.n_messages; i++) {
            buf_printf(&out, "[%.*s]\n%.*s\n", STR_ARG(s.messages[i].role),
                       STR_ARG(s.messages[i].text));
        }
        case_output(c, "", buf_str(&out));
    }
}

const test_kind kind_asked_pair = {
    .name = "asked_pair",
    .sections = "left right schema template",
    .keys = "prompt shots swap max_bytes",
    .run = run_asked_pair,
};
