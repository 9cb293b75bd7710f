// message.c - the shape of what more than one job sends.
#include "job/message.h"

#include <string.h>

const codec_shape message_made =
    CODEC_SHAPE(made_answer,
                CODEC_TRUTH_IN(made_answer, is_made),
                CODEC_TEXT_IN(made_answer, text));

typedef struct one_said {
    str file;
    int64_t line;
    int64_t column;
    str text;
} one_said;

const codec_shape message_one_said =
    CODEC_SHAPE(one_said,
                CODEC_TEXT_IN(one_said, file),
                CODEC_NUMBER_IN(one_said, line, 0, INT64_MAX),
                CODEC_NUMBER_IN(one_said, column, 0, INT64_MAX),
                CODEC_TEXT_IN(one_said, text));

codec_list message_said(const diag *d, arena *a)
{
    one_said *said = arena_new(a, one_said, d->messages.len);
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        diag_message m = d->messages.ptr[i];
        said[i] =
            (one_said){m.place.file, m.place.line, m.place.column, m.text};
    }
    return (codec_list){said, d->messages.len};
}

bool message_take_said(diag *d, codec_list said, arena *a)
{
    const one_said *m = said.ptr;
    for (ptrdiff_t i = 0; i < said.n; i++) {
        diag_place place = {arena_str(a, m[i].file), m[i].line, m[i].column};
        diag_add(d, place, "%.*s", STR_ARG(m[i].text));
    }
    return said.n == 0;
}

bool message_is_lines(str text)
{
    bool is = str_ends(text, S("\n"));
    while (is && text.len > 0) {
        str line = str_cut(&text, '\n');
        is = str_starts(line, S("{")) && str_ends(line, S("}"))
             && !memchr(line.ptr, '\0', (size_t)line.len);
    }
    return is;
}
