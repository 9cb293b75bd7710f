// json_write.c - see json_write.h.
#include "base/json_write.h"

static void add_value(buf *b, const json_item *m)
{
    switch (m->kind) {
    case MEMBER_TEXT: json_add_text(b, m->text); break;
    case MEMBER_TEXTS: json_add_texts(b, m->texts, m->n); break;
    case MEMBER_INT: buf_int(b, m->n); break;
    case MEMBER_DOUBLE: json_add_double(b, m->real); break;
    case MEMBER_FIXED: buf_printf(b, "%.*f", (int)m->n, m->real); break;
    case MEMBER_RAW:
    case MEMBER_CLOSE: buf_add(b, m->text); break;
    case MEMBER_NONE: break;
    }
}

void json_add_items(buf *b, const json_item *items, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const json_item *m = &items[i];
        if (m->has_key) {
            json_key(b, m->key);
        } else if (m->kind != MEMBER_CLOSE && m->kind != MEMBER_NONE) {
            json_next(b);
        }
        add_value(b, m);
    }
}
