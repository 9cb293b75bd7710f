// judge.c - see judge.h.
#include "model/judge.h"

judge_result judge_one(reply_reading r)
{
    return (judge_result){
        .decision = r.decision,
        .why = reply_rule_word(r.rule),
        .words = r.words,
        .contradicts_self = r.contradicts_self,
        .n_votes = 1,
        .n_winning = r.decision != DECISION_UNCLEAR,
    };
}

static void add_text(buf *out, str key, str text)
{
    if (text.len > 0) {
        json_key(out, key);
        json_add_text(out, text);
    }
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
    return words[d];
}

static void add_verdicts(buf *out, const judge_pair *p, const judge_result *r)
{
    json_key(out, S("verdicts"));
    buf_char(out, '{');
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
    json_key(out, S("judge"));
    buf_add(out, S("{"));
    add_text(out, S("v"), answer_of(r->decision));
    add_text(out, S("reason"),
             r->decision == DECISION_UNCLEAR ? r->why : S(""));
    if (r->n_votes > 1) {
        json_key(out, S("score"));
        json_add_double(out, (double)r->n_winning / (double)r->n_votes);
    }
    buf_add(out, S("}}"));
}

void judge_add_line(buf *out, const judge_pair *p, const judge_result *r)
{
    buf_char(out, '{');
    add_text(out, S("run"), p->run);
    add_text(out, S("id"), p->id);
    add_text(out, S("db"), p->db);
    add_text(out, S("hardness"), p->hardness);
    add_text(out, S("question"), p->question);
    add_text(out, S("gold"), p->left);
    add_text(out, S("pred"), p->right);
    add_text(out, S("decision"), decision_word(r->decision));
    add_text(out, S("rule"), r->why);
    add_text(out, S("words"), r->words);
    if (r->contradicts_self) {
        json_key(out, S("contradicts_self"));
        buf_add(out, S("true"));
    }
    if (r->n_databases > 0) {
        json_key(out, S("databases"));
        buf_int(out, r->n_databases);
    }
    if (r->witness.len > 0) {
        json_key(out, S("witness"));
        buf_add(out, r->witness);
    }
    add_verdicts(out, p, r);
    buf_add(out, S("}\n"));
}
