// chat_absent.c - chat.h in a build without libcurl: only records can answer.
#include "model/chat.h"

chat *chat_open(arena *a, const chat_options *options, diag *d)
{
    (void)a;
    (void)options;
    diag_add(d, (diag_place){0},
             "this build of assay cannot call a model (it was built without "
             "libcurl); recorded answers work: --replay");
    return NULL;
}

void chat_close(chat *c)
{
    (void)c;
}

bool chat_has_room(const chat *c)
{
    (void)c;
    return false;
}

void chat_send(chat *c, ptrdiff_t id, str body)
{
    (void)c;
    (void)id;
    (void)body;
}

bool chat_wait(chat *c, ptrdiff_t *id, chat_answer *out, arena *a)
{
    (void)c;
    (void)id;
    (void)out;
    (void)a;
    return false;
}
