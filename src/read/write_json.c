/*
 * write_json.c - JSON lines, arrays of records under the names that each
 * format has for them, and BIRD's object of predictions.
 *
 * Method      Arrays have one record a line, a comma after each but the last,
 *             so that the result is JSON and still a text to look through:
 *             nobody has to add commas [001].
 */
#include "base/json_write.h"
#include "base/utf8.h"
#include "read/writer.h"

static const answer_told untold;

// Ids that are whole numbers are written as such.
static void add_id(writing *w, const char *name, str id, buf *out)
{
    int64_t number = 0;
    bool is_needed = w->format == FORMAT_BIRD;
    if (!name || (id.len == 0 && !is_needed)) {
        return;
    }
    json_key(out, str_from(name));
    if (id.len == 0) {
        buf_int(out, w->n);
    } else if (is_needed && str_to_int(id, &number)) {
        buf_int(out, number);
    } else {
        json_add_text(out, id);
    }
}

static void add_golds(writing *w, const char *name, const record *r, buf *out)
{
    if (!name || r->n_golds == 0) {
        return;
    }
    json_key(out, str_from(name));
    if (w->format != FORMAT_JSONL || !r->golds_are_final) {
        json_add_text(out, writer_golds(w, r));
        return;
    }
    json_add_texts(out, r->golds, r->n_golds);
}

// Several predictions: a list, or by the names of their models.
static void add_many_preds(const record *r, buf *out)
{
    bool has_runs = r->preds[0].run.len > 0;
    json_key(out, has_runs ? S("predictions") : S("pred"));
    buf_char(out, has_runs ? '{' : '[');
    for (ptrdiff_t i = 0; i < r->n_preds; i++) {
        if (has_runs) {
            json_key(out, r->preds[i].run);
        } else {
            json_next(out);
        }
        json_add_text(out, r->preds[i].sql);
    }
    buf_char(out, has_runs ? '}' : ']');
}

static void add_preds(writing *w, const char *name, const record *r, buf *out)
{
    if (!name || r->n_preds == 0) {
        return;
    }
    bool is_one = r->n_preds == 1 && r->preds[0].run.len == 0;
    if (w->format == FORMAT_JSONL && !is_one) {
        add_many_preds(r, out);
        return;
    }
    json_write(out, member_text(str_from(name), writer_pred(w, r)));
}

// JSON is UTF-8; json_add_text replaces what is not.
static void count_bytes(writing *w, const record *r)
{
    bool is_good = true;
    for (ptrdiff_t i = 0; i < r->n_golds && is_good; i++) {
        is_good = utf8_is_valid(r->golds[i]);
    }
    for (ptrdiff_t i = 0; i < r->n_preds && is_good; i++) {
        is_good = utf8_is_valid(r->preds[i].sql);
    }
    w->result->lost[CONVERT_BYTES] += is_good ? 0 : 1;
}

static void add_part(writing *w, const record *r, field_kind kind, buf *out)
{
    const char *name = writer_name(w, kind);
    bool is_session = kind == FIELD_INTERACTION || kind == FIELD_TURN;
    if (kind == FIELD_ID) {
        add_id(w, name, r->id, out);
    } else if (kind == FIELD_GOLD) {
        add_golds(w, name, r, out);
    } else if (kind == FIELD_PRED) {
        add_preds(w, name, r, out);
    } else if (name && is_session && r->interaction >= 0) {
        json_key(out, str_from(name));
        buf_int(out, kind == FIELD_TURN ? r->turn : r->interaction);
    } else if (name && !is_session) {
        json_write(out,
                   member_text_if_any(str_from(name), writer_part(w, r, kind)));
    }
}

static void write_record(writing *w, const record *r, buf *out)
{
    count_bytes(w, r);
    buf_char(out, '{');
    for (ptrdiff_t i = 0; i < WRITER_PARTS; i++) {
        add_part(w, r, writer_parts[i], out);
    }
    if (w->format == FORMAT_JSONL) {
        json_write(out, member_text_if_any(S("of"), r->of));
        told_json(out, r->n_preds > 0 ? &r->preds[0].told : &untold);
    }
    buf_char(out, '}');
}

static void lines_write(writing *w, const record *r, buf *out)
{
    write_record(w, r, out);
    buf_char(out, '\n');
}

static void array_write(writing *w, const record *r, buf *out)
{
    buf_add(out, w->n > 0 ? S(",\n") : S("\n"));
    write_record(w, r, out);
}

// BIRD's evaluator goes by the order in the file and ours by the key: an id
// where there is one, else the position.
static void object_write(writing *w, const record *r, buf *out)
{
    count_bytes(w, r);
    buf_add(out, w->n > 0 ? S(",\n") : S("\n"));
    str id = w->has_ids ? r->id : arena_printf(&w->scratch, "%td", w->n);
    json_add_text(out, id);
    buf_add(out, S(": "));
    buf text = buf_new(&w->scratch);
    buf_add(&text, writer_pred(w, r));
    buf_add(&text, S("\t----- bird -----\t"));
    buf_add(&text, r->db);
    json_add_text(out, buf_str(&text));
}

const writer writer_json_lines = {"", lines_write, ""};
const writer writer_json_array = {"[", array_write, "\n]\n"};
const writer writer_bird_object = {"{", object_write, "\n}\n"};
