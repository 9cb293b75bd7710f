/*
 * judge_pair.c - a pair to judge from a JSON object, whatever its file calls
 * it.
 *
 * Method      Each member is looked for by a list of names, our own first; the
 *             names that other files use are all listed in
 *             judge_pair_from_json. Labels are reduced to "yes" and "no",
 *             several annotators to their majority, none at a tie. Texts are
 *             borrowed from the JSON.
 */
#include "model/judge_pair.h"

#include "model/label.h"

enum {
    NAMES_MAX = 4
};

// The text of the first of these members that the object has.
static str first_text(arena *a, const json *j, const char *const *names)
{
    str text = {0};
    for (ptrdiff_t i = 0; i < NAMES_MAX && names[i]; i++) {
        const json *m = json_get(j, str_from(names[i]));
        // Of several golds the first one is asked about.
        m = m && m->kind == JSON_KIND_ARRAY ? m->child : m;
        if (json_scalar_text(a, m, &text)) {
            return text;
        }
    }
    return (str){0};
}

// "yes", "no"; empty when it says neither.
static str label_word(label_answer answer)
{
    return answer == LABEL_YES  ? S("yes")
           : answer == LABEL_NO ? S("no")
                                : (str){0};
}

// The majority of {annotators: [label, ...]}; none at a tie.
static void count_annotators(judge_pair *p, const json *annotators, arena *a)
{
    ptrdiff_t over = 0;
    for (const json *m = annotators->child; m; m = m->next) {
        label_answer answer = label_from_json(m, *a);
        over += answer == LABEL_YES;
        over -= answer == LABEL_NO;
    }
    p->label = over > 0 ? S("yes") : over < 0 ? S("no") : (str){0};
}

bool judge_pair_from_json(judge_pair *p, arena *a, const json *j)
{
    if (!j || j->kind != JSON_KIND_OBJECT) {
        return false;
    }
#define NAMES(...) ((const char *const[NAMES_MAX]){__VA_ARGS__})
    *p = (judge_pair){
        .id = first_text(a, j, NAMES("id")),
        .run = first_text(a, j, NAMES("run", "predictor")),
        .db = first_text(a, j, NAMES("db", "db_id")),
        .hardness = first_text(a, j, NAMES("hardness", "difficulty")),
        .question = first_text(a, j, NAMES("question")),
        .left = first_text(a, j, NAMES("left", "q1", "gold")),
        .right = first_text(a, j, NAMES("right", "q2", "pred")),
        .ddl = first_text(a, j, NAMES("ddl")),
        .schema = first_text(a, j, NAMES("schema")),
        .judge = first_text(a, j, NAMES("judge", "model")),
        .technique = first_text(a, j, NAMES("technique")),
        .prompt = first_text(a, j, NAMES("prompt")),
    };
#undef NAMES
    if (p->run.len == 0 && p->judge.len > 0) {
        // A recorded answer: who judged is what there is to compare.
        p->run = arena_printf(a, "%.*s%s%.*s", STR_ARG(p->judge),
                              p->technique.len > 0 ? " " : "",
                              STR_ARG(p->technique));
    }
    p->label = label_word(label_from_json(json_get(j, S("label")), *a));
    p->exec =
        label_word(label_from_json(json_get(j, S("execution_match")), *a));
    const json *annotators = json_get(j, S("annotators"));
    if (annotators && annotators->n > 0) {
        count_annotators(p, annotators, a);
    }
    const json *response = json_get(j, S("response"));
    p->has_response = response && response->kind == JSON_KIND_STRING;
    p->response = p->has_response ? response->text : (str){0};
    const json *verdicts = json_get(j, S("verdicts"));
    p->verdicts =
        verdicts && verdicts->kind == JSON_KIND_OBJECT ? verdicts : NULL;
    return true;
}
