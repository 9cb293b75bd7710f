/*
 * case_file.c - reads and rewrites files of test cases; the format is in
 * case_file.h.
 *
 * Method      Line by line. Before the first section of a case a line is a key,
 *             a blank or an error; after it everything up to the next fence is
 *             the body. A body is a slice of the file's text, so blessing is
 *             copying the text with some slices replaced.
 */
#include "case_file.h"

#include "base/buf.h"

#include <string.h>

typedef struct case_reader {
    case_file *f;
    arena *a;
    diag *d;
    str rest;
    str line;         // without its end
    int64_t number;   // of `line`, from 1
    case_text *test;  // NULL before the first case
    case_body *body;  // NULL before the first section of the case
} case_reader;

static bool reader_next(case_reader *r)
{
    if (r->rest.len == 0) {
        return false;
    }
    r->line = str_cut(&r->rest, '\n');
    r->number++;
    return true;
}

static bool reader_error(case_reader *r, const char *text)
{
    return diag_add(r->d, (diag_place){r->f->path, r->number, 0}, "%s", text);
}

// How many times `c` stands at the start of a fence; 0 when it is none.
static ptrdiff_t fence_width(str line, char c)
{
    ptrdiff_t n = 0;
    while (n < line.len && line.ptr[n] == c) {
        n++;
    }
    return n >= 3 && n < line.len && line.ptr[n] == ' ' ? n : 0;
}

static bool is_fence(const case_file *f, str line, char c)
{
    ptrdiff_t width = fence_width(line, c);
    return width > 0 && width == f->fence;
}

static bool read_first_line(case_reader *r)
{
    str start = S("#! kind: ");
    if (!reader_next(r) || !str_starts(r->line, start)) {
        r->number = 1;
        return reader_error(r, "the first line is not '#! kind: NAME'");
    }
    r->f->kind = str_trim(str_skip(r->line, start.len));
    return true;
}

static void begin_case(case_reader *r)
{
    r->test = vec_push(r->a, &r->f->cases);
    r->test->title = str_trim(str_skip(r->line, r->f->fence));
    r->test->line = r->number;
    r->body = NULL;
    if (r->test->title.len == 0) {
        reader_error(r, "a case without a title");
    }
}

static void begin_body(case_reader *r)
{
    str argument = str_trim(str_skip(r->line, r->f->fence));
    str name = str_cut(&argument, ' ');
    argument = str_trim(argument);
    if (name.len == 0) {
        reader_error(r, "a section without a name");
    } else if (case_body_find(r->test, name, argument)) {
        reader_error(r, "the case has this section already");
    }
    r->body = vec_push(r->a, &r->test->bodies);
    *r->body = (case_body){name, argument, {r->rest.ptr, 0}, r->number};
    if (!r->rest.ptr) {
        r->body->body.ptr = r->f->text.ptr + r->f->text.len;
    }
}

// A line between the title and the first section.
static void read_key(case_reader *r)
{
    str value = r->line;
    str key = str_cut(&value, ':');
    if (str_trim(r->line).len == 0) {
        return;
    }
    if (!value.ptr || key.len == 0 || str_find(key, S(" "), 0) >= 0) {
        reader_error(r, "expected 'key: value' or a section");
        return;
    }
    case_key_line *k = vec_push(r->a, &r->test->keys);
    *k = (case_key_line){key, str_trim(value), r->number};
}

static void read_line(case_reader *r)
{
    if (is_fence(r->f, r->line, '=')) {
        begin_case(r);
    } else if (r->test && is_fence(r->f, r->line, '-')) {
        begin_body(r);
    } else if (r->body) {
        str *body = &r->body->body;
        body->len = r->line.ptr + r->line.len - body->ptr;
    } else if (r->test) {
        read_key(r);
    } else if (r->line.len > 0 && r->line.ptr[0] != '#') {
        reader_error(r, "expected '=== title' or a comment");
    }
}

static void finish_cases(case_reader *r)
{
    for (ptrdiff_t i = 0; i < r->f->cases.len; i++) {
        case_text *c = &r->f->cases.ptr[i];
        r->number = c->line;
        if (c->bodies.len == 0) {
            reader_error(r, "a case without sections");
        }
        for (ptrdiff_t j = 0; j < c->bodies.len; j++) {
            str *body = &c->bodies.ptr[j].body;
            *body = case_drop_blank_end(*body);
        }
    }
}

bool case_file_read(case_file *f, arena *a, str path, str text, diag *d)
{
    *f = (case_file){.path = path, .text = text};
    case_reader r = {.f = f, .a = a, .d = d, .rest = text};
    if (!read_first_line(&r)) {
        return false;
    }
    while (reader_next(&r)) {
        if (f->fence == 0) {
            f->fence = fence_width(r.line, '=');
        }
        read_line(&r);
    }
    finish_cases(&r);
    if (f->cases.len == 0) {
        reader_error(&r, "a file without cases");
    }
    return d->count == 0;
}

const case_body *case_body_find(const case_text *c, str name, str argument)
{
    for (ptrdiff_t i = 0; i < c->bodies.len; i++) {
        const case_body *b = &c->bodies.ptr[i];
        if (str_equal(b->name, name) && str_equal(b->argument, argument)) {
            return b;
        }
    }
    return NULL;
}

static void add_range(buf *b, const char *from, const char *to)
{
    buf_add(b, (str){from, to - from});
}

// Appends the new body that stands for `old`, with the line ends that keep
// what follows at the start of a line. Returns where copying goes on.
static const char *bless_body(buf *b, const case_file *f, str old, str text)
{
    const char *end = old.ptr + old.len;
    buf_add(b, text);
    if (old.len == 0 && text.len > 0) {
        buf_char(b, '\n');
    } else if (old.len > 0 && text.len == 0
               && end < f->text.ptr + f->text.len) {
        end++;
    }
    return end;
}

str case_file_bless(arena *a,
                    const case_file *f,
                    const case_change *changes,
                    ptrdiff_t n)
{
    buf b = buf_new(a);
    const char *done = f->text.ptr;
    for (ptrdiff_t i = 0; i < n; i++) {
        const case_text *c = changes[i].of;
        const case_body *body = changes[i].body;
        if (body) {
            add_range(&b, done, body->body.ptr);
            done = bless_body(&b, f, body->body, changes[i].text);
            continue;
        }
        str last = c->bodies.ptr[c->bodies.len - 1].body;
        add_range(&b, done, last.ptr + last.len);
        done = last.ptr + last.len;
        buf_char(&b, '\n');
        buf_repeat(&b, '-', f->fence);
        buf_add(&b, S(" want\n"));
        buf_add(&b, changes[i].text);
    }
    add_range(&b, done, f->text.ptr + f->text.len);
    return buf_str(&b);
}

bool case_file_has_fence(const case_file *f, str text)
{
    while (text.len > 0) {
        str line = str_cut(&text, '\n');
        if (is_fence(f, line, '=') || is_fence(f, line, '-')) {
            return true;
        }
    }
    return false;
}

str case_drop_blank_end(str text)
{
    for (ptrdiff_t end = text.len; end > 0; end--) {
        char c = text.ptr[end - 1];
        if (c == '\n') {
            text.len = end - 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
        if (end == 1) {
            text.len = 0;
        }
    }
    return text;
}
