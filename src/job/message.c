// message.c - the shape of what more than one job sends.
#include "job/message.h"

static const codec_member made_members[] = {
    CODEC_TRUTH_IN(made_answer, is_made),
    CODEC_TEXT_IN(made_answer, text),
};

const codec_shape message_made = CODEC_SHAPE(made_answer, made_members);
