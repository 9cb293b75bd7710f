// message.c - the shape of what more than one job sends.
#include "job/message.h"

#include <string.h>

static const codec_member made_members[] = {
    CODEC_TRUTH_IN(made_answer, is_made),
    CODEC_TEXT_IN(made_answer, text),
};

const codec_shape message_made = CODEC_SHAPE(made_answer, made_members);

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
