/*
 * chat_record.c - recorded answers of models: JSON lines, one per call.
 *
 * Method      A file is read line by line; each line is parsed in memory that
 *             is given back, and only the answer is kept. Answers are found by
 *             the key of the call (the hash of its body). A line without a key
 *             goes by "id/n", n being the number of earlier lines with this id.
 *             Both live in one map: a key is 32 hexadecimal digits and has no
 *             slash. Where a key occurs twice, the first answer stays.
 *
 * An answer is written as one line with one write on a file opened with
 * O_APPEND, so that a run that is killed leaves at most one broken line, at the
 * end. chat_record_append ends such a line first, and chat_record_load counts
 * it and passes over it.
 *
 * Invariants  (1) keys and answers are parallel: answer i belongs to key i.
 *             (2) ids and n_of_id are parallel.
 *
 * Cost        linear in the bytes of the files; memory holds the answers.
 */
#include "model/chat_record.h"

#include "base/file.h"
#include "base/json_write.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

chat_record chat_record_new(arena *a)
{
    return (chat_record){.a = a, .fd = -1};
}

static str place_key(arena *a, str id, ptrdiff_t n)
{
    return arena_printf(a, "%.*s/%td", STR_ARG(id), n);
}

static void remember(chat_record *r, str key, recorded_answer answer)
{
    ptrdiff_t known = map_count(&r->keys);
    ptrdiff_t i = map_add(&r->keys, r->a, key);
    if (i == known) {
        answer.text = arena_str(r->a, answer.text);
        *vec_push(r->a, &r->answers) = answer;
    }
    assert(map_count(&r->keys) == r->answers.len);  // invariant 1
}

// None of the numbers of a record is below zero, nor beyond what sums hold.
static double number_member(const json *j, str key)
{
    const json *m = json_get(j, key);
    bool is_number =
        m && (m->kind == JSON_KIND_INT || m->kind == JSON_KIND_REAL);
    double n = is_number && m->real > 0 ? m->real : 0;
    return n < 1e12 ? n : 1e12;
}

str chat_record_number(arena *a, double n)
{
    return arena_printf(a, "%g", n);
}

// Another model is further away than all else.
static ptrdiff_t distance(const call_settings *x, const call_settings *y)
{
    ptrdiff_t n = 0;
    for (int i = 0; i < CALL_SETTINGS; i++) {
        bool differs = !str_equal(x->value[i], y->value[i]);
        n += !differs ? 0 : i == CALL_MODEL ? CALL_SETTINGS : 1;
    }
    return n;
}

// The settings that differ least; NULL when none is known.
static const call_settings *nearest(const chat_record *r,
                                    const call_settings *asked)
{
    const call_settings *best = NULL;
    for (ptrdiff_t i = 0; i < r->asked.len; i++) {
        const call_settings *it = &r->asked.ptr[i];
        bool is_nearer = !best || distance(it, asked) < distance(best, asked);
        best = is_nearer ? it : best;
    }
    return best;
}

static void note_settings(chat_record *r, const json *j, arena a)
{
    const json *request = json_get(j, S("request"));
    call_settings s = {{
        [CALL_MODEL] = json_get_text(request, S("model")),
        [CALL_PROMPT] = json_get_text(j, S("prompt")),
        [CALL_TEMPERATURE] =
            chat_record_number(&a, number_member(request, S("temperature"))),
        [CALL_MAX_TOKENS] =
            chat_record_number(&a, number_member(request, S("max_tokens"))),
    }};
    const call_settings *known = nearest(r, &s);
    if (s.value[CALL_MODEL].len == 0 || (known && distance(known, &s) == 0)) {
        return;
    }
    for (int i = 0; i < CALL_SETTINGS; i++) {
        s.value[i] = arena_str(r->a, s.value[i]);
    }
    map_add(&r->models, r->a, s.value[CALL_MODEL]);
    *vec_push(r->a, &r->asked) = s;
}

enum {
    LINE_BYTES_MAX = 16 << 20  // of a record: a request and its answer
};

static bool load_line(chat_record *r, str line, arena a)
{
    if (line.len > LINE_BYTES_MAX) {
        return false;
    }
    const json *j = json_parse(&a, line, NULL);
    const json *response = json_get(j, S("response"));
    if (!response || response->kind != JSON_KIND_STRING) {
        return false;
    }
    const json *cut = json_get(j, S("cut"));
    recorded_answer answer = {
        .text = response->text,
        .is_cut = cut && cut->kind == JSON_KIND_TRUE,
        .tokens_in = (int64_t)number_member(j, S("tokens_in")),
        .tokens_out = (int64_t)number_member(j, S("tokens_out")),
        .cost = number_member(j, S("cost")),
    };
    str key = json_get_text(j, S("key"));
    str id = {0};
    if (key.len > 0) {
        remember(r, key, answer);
        note_settings(r, j, a);
    } else if (json_scalar_text(&a, json_get(j, S("id")), &id)) {
        ptrdiff_t i = map_add(&r->ids, r->a, id);
        ptrdiff_t n = (ptrdiff_t)(*vec_at(r->a, &r->n_of_id, i))++;
        remember(r, place_key(&a, id, n), answer);
    }
    return true;
}

bool chat_record_load(chat_record *r,
                      str path,
                      diag *d,
                      arena_store *line_store)
{
    file_map file;
    if (!file_open(&file, r->a, path, d)) {
        return false;
    }
    for (str rest = file.bytes; rest.len > 0;) {
        str line = str_trim(str_cut(&rest, '\n'));
        if (line.len > 0
            && !load_line(r, line, arena_store_clear(line_store))) {
            r->n_broken++;
        }
    }
    file_close(&file);
    return true;
}

// Does the file end in the middle of a line?
static bool ends_open(int fd)
{
    struct stat st;
    char last = '\n';
    bool has_bytes = fstat(fd, &st) == 0 && st.st_size > 0;
    return has_bytes && pread(fd, &last, 1, st.st_size - 1) == 1
           && last != '\n';
}

bool chat_record_append(chat_record *r, str path, diag *d, arena scratch)
{
    assert(r->fd < 0);
    const char *name = arena_cstr(&scratch, path);
    r->fd = open(name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool ok = r->fd >= 0;
    if (ok && ends_open(r->fd)) {
        ok = file_write_all(r->fd, S("\n"));
    }
    if (!ok) {
        diag_add(d, (diag_place){.file = path}, "cannot write: %s",
                 strerror(errno));
    }
    return ok;
}

void chat_record_close(chat_record *r)
{
    if (r->fd >= 0) {
        close(r->fd);
        r->fd = -1;
    }
}

const recorded_answer *chat_record_find(const chat_record *r,
                                        str key,
                                        str id,
                                        ptrdiff_t n)
{
    ptrdiff_t i = map_find(&r->keys, key);
    if (i < 0) {
        arena a = arena_on_stack(512);
        i = id.len < 400 ? map_find(&r->keys, place_key(&a, id, n)) : -1;
    }
    assert(i < r->answers.len);
    return i >= 0 ? &r->answers.ptr[i] : NULL;
}

str chat_record_models(const chat_record *r, arena *a)
{
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i < map_count(&r->models); i++) {
        buf_printf(&out, "%s%.*s", i > 0 ? ", " : "",
                   STR_ARG(map_key_at(&r->models, i)));
    }
    return buf_str(&out);
}

str chat_record_differs(const chat_record *r,
                        const call_settings *asked,
                        arena *a)
{
    static const char *const options[CALL_SETTINGS] = {
        [CALL_MODEL] = "--model",
        [CALL_PROMPT] = "--prompt",
        [CALL_TEMPERATURE] = "--temperature",
        [CALL_MAX_TOKENS] = "--max-tokens",
    };
    const call_settings *have = nearest(r, asked);
    str said = {0};
    for (int i = 0; have && i < CALL_SETTINGS; i++) {
        if (!str_equal(have->value[i], asked->value[i])) {
            str known =
                i == CALL_MODEL ? chat_record_models(r, a) : have->value[i];
            said = arena_printf(a, "%.*s%s%s %.*s, not %.*s", STR_ARG(said),
                                said.len > 0 ? "; " : "", options[i],
                                STR_ARG(known), STR_ARG(asked->value[i]));
        }
    }
    return said;
}

bool chat_record_add(chat_record *r,
                     const chat_entry *e,
                     const chat_answer *answer,
                     arena scratch)
{
    assert(e->key.len > 0);
    remember(r, e->key,
             (recorded_answer){.text = answer->text,
                               .is_cut = answer->is_cut,
                               .tokens_in = answer->tokens_in,
                               .tokens_out = answer->tokens_out,
                               .cost = e->cost});
    if (r->fd < 0) {
        return true;
    }
    buf b = buf_new(&scratch);
    json_write(&b, json_begin('{'), member_text(S("key"), e->key),
               member_text(S("id"), e->id),
               member_text(S("prompt"), e->prompt));
    json_key(&b, S("request"));
    buf_add(&b, e->request);
    json_write(&b, member_text(S("response"), answer->text));
    if (answer->is_cut) {
        json_key(&b, S("cut"));
        buf_add(&b, S("true"));
    }
    json_write(&b, member_int(S("tokens_in"), answer->tokens_in),
               member_int(S("tokens_out"), answer->tokens_out),
               member_int(S("ms"), answer->ms),
               member_int(S("tries"), answer->n_tries),
               member_double(S("cost"), e->cost), json_end("}\n"));
    return file_write_all(r->fd, buf_str(&b));
}
