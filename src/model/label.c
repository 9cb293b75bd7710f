// label.c - see label.h.
#include "model/label.h"

#include "base/words.h"

static const struct {
    str word;
    label_answer answer;
} labels[] = {
#define LABEL(word, answer) {S_INIT(word), LABEL_##answer},
#include "model/label.def"
#undef LABEL
};

static label_answer label_from_text(str text)
{
    text = str_trim(text);
    if (text.len == 0) {
        return LABEL_NONE;
    }
    ptrdiff_t i = words_at_fold(labels, word, text);
    if (i >= 0) {
        return labels[i].answer;
    }
    double number = 0;
    bool is_number = str_to_double(text, &number);
    return is_number && number >= 1 && number <= 1   ? LABEL_YES
           : is_number && number >= 0 && number <= 0 ? LABEL_NO
                                                     : LABEL_ODD;
}

label_answer label_from_json(const json *value, arena scratch)
{
    str text = {0};
    if (!value || value->kind == JSON_KIND_NULL) {
        return LABEL_NONE;
    }
    return json_scalar_text(&scratch, value, &text) ? label_from_text(text)
                                                    : LABEL_ODD;
}
