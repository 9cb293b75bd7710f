// check_verdict.c - see check_verdict.h.
#include "check/check_verdict.h"

#include "base/words.h"

static const struct {
    str word;
    str text;
} causes[] = {
#define CAUSE(constant, word, text) {S_INIT(word), S_INIT(text)},
#include "check/cause.def"
};

WORDS_OF(cause, cause, causes)

str cause_text(cause c)
{
    return causes[c].text;
}

str check_answer_word(check_answer a)
{
    static const str words[] = {S_INIT("unknown"), S_INIT("equivalent"),
                                S_INIT("different")};
    return words[a];
}

str check_evidence_word(check_evidence e)
{
    static const str words[] = {S_INIT("bound"), S_INIT("proof"),
                                S_INIT("witness"), S_INIT("columns"),
                                S_INIT("error")};
    return words[e];
}

check_options check_default_options(void)
{
    return (check_options){
        .assume = ASSUME_DEFAULT,
        .tolerance = 1e-9,
        .databases = 300,
        .timeout_ms = 5000,
        .seed = 1,
    };
}
