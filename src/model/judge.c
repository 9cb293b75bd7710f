/*
 * judge.c - the decision of a model's answer, and the lines that report it.
 *
 * Method      An answer that repeats the queries repeats their literals, and a
 *             literal such as 'not equivalent to' would be read as a decision.
 *             So literals of several words that would themselves be read as one
 *             are blanked out of the answer before it is read (reply.h).
 *             Blanks, not cuts: the words around them keep their distance.
 *
 * judge_insert edits a line of a journal as text, so that all the rest stays
 * byte for byte: the verdict goes first into "verdicts", after which an older
 * verdict of a judge in that place is skipped. A line without "verdicts" stays
 * as it is.
 *
 * Cost        linear in the answer for each such literal; there is hardly ever
 *             one, and without the word "equivalent" in a query none is looked
 *             for.
 */
#include "model/judge.h"

#include "base/json_write.h"
#include "sql/lex.h"

#include <assert.h>

// Is the literal more than a word, and would it be taken for a decision?
static bool is_bait(str literal, arena scratch)
{
    return str_find(literal, S(" "), 0) >= 0
           && reply_read(literal, REPLY_END_WHOLE, scratch).decision
                  != DECISION_UNCLEAR;
}

// Makes blanks of `literal` wherever it stands in `text`.
static str blank_out(arena *a, str text, str literal)
{
    buf blanks = buf_new(a);
    buf_repeat(&blanks, ' ', literal.len);
    return buf_replaced(a, text, literal, buf_str(&blanks));
}

static str without_bait(arena *a, str text, str sql, arena scratch)
{
    if (str_find_fold(sql, S("equivalent"), 0) < 0) {
        return text;
    }
    lexer l = lex_begin(sql, DIALECT_SQLITE);
    for (token t = lex_next(&l); t.kind != TOKEN_END; t = lex_next(&l)) {
        arena local = scratch;
        str literal = token_content(&local, sql, t, DIALECT_SQLITE);
        if (is_bait(literal, local)) {
            text = blank_out(a, text, literal);
        }
    }
    return text;
}

judge_result judge_read(const judge_pair *p,
                        str answer,
                        reply_end end,
                        arena *a,
                        arena scratch)
{
    str text = without_bait(a, answer, p->left, scratch);
    text = without_bait(a, text, p->right, scratch);
    reply_reading r = reply_read(text, end, scratch);
    if (r.rule == REPLY_EMPTY && str_trim(answer).len > 0) {
        r.rule = REPLY_NO_DECISION;  // nothing but such a literal
    }
    return (judge_result){
        .decision = r.decision,
        .why = reply_rule_word(r.rule),
        .words = arena_str(a, r.words),
        .contradicts_self = r.contradicts_self,
        .n_votes = 1,
        .n_winning = r.decision != DECISION_UNCLEAR,
    };
}

static void add_verdict(buf *out, str key, str v)
{
    json_key(out, key);
    buf_printf(out, "{\"v\":\"%.*s\"}", STR_ARG(v));
}

static str answer_of(decision d)
{
    static const str words[] = {
        [DECISION_UNCLEAR] = S_INIT("unknown"),
        [DECISION_EQUIVALENT] = S_INIT("yes"),
        [DECISION_INEQUIVALENT] = S_INIT("no"),
    };
    assert(d >= 0 && d < countof(words));
    return words[d];
}

// "judge":{"v":...}
static void add_judge(buf *out, const judge_result *r)
{
    assert(r->n_votes == 0 || r->n_winning <= r->n_votes);
    json_key(out, S("judge"));
    buf_add(out, S("{"));
    json_write(out, member_text_if_any(S("v"), answer_of(r->decision)),
               member_text_if_any(S("reason"), r->decision == DECISION_UNCLEAR
                                                   ? r->why
                                                   : S("")));
    if (r->n_votes > 1) {
        json_write(out,
                   member_double(S("confidence"),
                                 (double)r->n_winning / (double)r->n_votes),
                   member_int(S("votes"), r->n_votes));
    }
    buf_char(out, '}');
}

static void add_verdicts(buf *out, const judge_pair *p, const judge_result *r)
{
    json_write(out, member_open(S("verdicts"), '{'));
    for (const json *v = p->verdicts ? p->verdicts->child : NULL; v;
         v = v->next) {
        if (!str_equal(v->key, S("judge"))) {
            json_key(out, v->key);
            json_add(out, v);
        }
    }
    if (p->exec.len > 0) {
        add_verdict(out, S("exec"), p->exec);
    }
    if (p->label.len > 0) {
        add_verdict(out, S("label"), p->label);
    }
    add_judge(out, r);
    buf_char(out, '}');
}

void judge_add_line(buf *out, const judge_pair *p, const judge_result *r)
{
    json_write(out, json_begin('{'), member_text_if_any(S("run"), p->run),
               member_text_if_any(S("id"), p->id),
               member_text_if_any(S("db"), p->db),
               member_text_if_any(S("hardness"), p->hardness),
               member_text_if_any(S("question"), p->question),
               member_text_if_any(S("gold"), p->left),
               member_text_if_any(S("pred"), p->right),
               member_text_if_any(S("decision"), decision_word(r->decision)),
               member_text_if_any(S("rule"), r->why),
               member_text_if_any(S("words"), r->words),
               member_text_if_any(S("asked"), r->asked));
    if (r->contradicts_self) {
        json_key(out, S("contradicts_self"));
        buf_add(out, S("true"));
    }
    if (r->n_databases > 0) {
        json_write(out, member_int(S("databases"), r->n_databases));
    }
    if (r->witness.len > 0) {
        json_key(out, S("witness"));
        buf_add(out, r->witness);
    }
    add_verdicts(out, p, r);
    buf_add(out, S("}\n"));
}

// Skips a verdict of an earlier judge at the beginning of the verdicts.
static str without_judge(str rest, arena scratch)
{
    static const str key = S_INIT("\"judge\":");
    ptrdiff_t used = 0;
    if (str_starts(rest, key)
        && json_parse_prefix(&scratch, str_skip(rest, key.len), &used, NULL)) {
        rest = str_skip(rest, key.len + used);
        return str_starts(rest, S(",")) ? str_skip(rest, 1) : rest;
    }
    return rest;
}

void judge_insert(buf *out, str line, const judge_result *r, arena scratch)
{
    static const str mark = S_INIT(",\"verdicts\":{");
    ptrdiff_t at = str_find(line, mark, 0);
    if (at < 0) {
        buf_add(out, line);
        buf_char(out, '\n');
        return;
    }
    ptrdiff_t from = at + mark.len;
    str rest = without_judge(str_skip(line, from), scratch);
    buf_add(out, str_sub(line, 0, from));
    add_judge(out, r);
    buf_add(out, str_starts(rest, S("}")) ? S("") : S(","));
    buf_add(out, rest);
    buf_char(out, '\n');
}
