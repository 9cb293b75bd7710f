/*
 * kind_read.c - the kinds of reading and writing data sets.
 *
 *   read     file: one record a line, then notes or errors
 *   pair     gold, pred: one question a line with its prediction, then errors
 *   extract  raw: what was cut in brackets, then the SQL
 *   convert  file or pred or both: the other format; `want notes`: what it
 *            could not hold
 *
 * Keys: format, role (gold, pred), to, limit, needs (yaml). With `bytes: yes`
 * \xNN in an input is one byte. In a record's line two blanks stand between
 * fields, and fields that are empty are left out:
 *
 *   LINE  #id  @db  question  gold | gold  <- pred | pred  key=value...
 */
#include "base/utf8.h"
#include "kind.h"
#include "read/convert.h"
#include "read/extract.h"
#include "read/pair.h"

static void add_plain(buf *out, str s)
{
    for (ptrdiff_t i = 0; i < s.len; i++) {
        unsigned char byte = (unsigned char)s.ptr[i];
        ptrdiff_t size = utf8_size_at(s, i);
        if (byte == '\n') {
            buf_add(out, S("\\n"));
        } else if (byte < 0x20 || size == 0) {
            buf_printf(out, "\\x%02X", byte);
        } else {
            buf_add(out, str_sub(s, i, i + size));
            i += size - 1;
        }
    }
}

static int hex_value(char c)
{
    return is_digit(c) ? c - '0' : to_lower(c) - 'a' + 10;
}

// The section's body, with \xNN as bytes where the case says so.
static str input_of(test_case *c, const char *section)
{
    str body = case_section(c, section);
    if (!str_equal(case_key(c, "bytes"), S("yes"))) {
        return body;
    }
    buf out = buf_new(case_arena(c));
    for (ptrdiff_t i = 0; i < body.len; i++) {
        if (str_starts(str_skip(body, i), S("\\x")) && i + 3 < body.len) {
            buf_char(&out, (char)(hex_value(body.ptr[i + 2]) * 16
                                  + hex_value(body.ptr[i + 3])));
            i += 3;
        } else {
            buf_char(&out, body.ptr[i]);
        }
    }
    return buf_str(&out);
}

static void add_field(buf *out, const char *mark, str value)
{
    if (value.len > 0) {
        buf_printf(out, "  %s", mark);
        add_plain(out, value);
    }
}

static void add_preds(buf *out, const record *r)
{
    for (ptrdiff_t i = 0; i < r->n_preds; i++) {
        const record_pred *p = &r->preds[i];
        buf_add(out, i == 0 ? S("  <- ") : S(" | "));
        if (p->run.len > 0) {
            buf_printf(out, "%.*s: ", STR_ARG(p->run));
        }
        add_plain(out, p->sql.len > 0 ? p->sql : S("(empty)"));
        if (p->note.len > 0) {
            buf_printf(out, " [%.*s]", STR_ARG(p->note));
        }
    }
}

static void add_record(buf *out, const record *r)
{
    buf_int(out, r->line);
    add_field(out, "#", r->id);
    add_field(out, "@", r->db);
    add_field(out, "", r->question);
    for (ptrdiff_t i = 0; i < r->n_golds; i++) {
        buf_add(out, i == 0 ? S("  ") : S(" | "));
        add_plain(out, r->golds[i]);
    }
    add_preds(out, r);
    add_field(out, "category=", r->category);
    add_field(out, "hardness=", r->hardness);
    add_field(out, "evidence=", r->evidence);
    if (r->golds_are_final) {
        buf_add(out, S("  final"));
    }
    if (r->interaction >= 0) {
        buf_printf(out, "  session=%td.%td", r->interaction, r->turn);
    }
    buf_char(out, '\n');
}

static void add_errors(buf *out, const diag *d, arena *a)
{
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        buf_add(out, S("error: "));
        buf_add(out, diag_format(a, d->messages.ptr[i]));
        buf_char(out, '\n');
    }
}

static void add_notes(buf *out, const dataset *set)
{
    for (ptrdiff_t i = 0; i < set->notes.len; i++) {
        buf_printf(out, "note: %.*s\n", STR_ARG(set->notes.ptr[i]));
    }
    if (set->failed.len > 0) {
        buf_printf(out, "failed: %.*s\n", STR_ARG(set->failed));
    }
}

// Opens the section as a file of that name.
static bool open_section(test_case *c,
                         const char *section,
                         dataset_options options,
                         dataset *set,
                         diag *d)
{
    file_map file = {.bytes = input_of(c, section), .path = str_from(section)};
    return dataset_open_bytes(set, case_arena(c), file, options, d,
                              case_scratch(c));
}

static bool read_options(test_case *c, dataset_options *options)
{
    str format = case_key(c, "format");
    str role = case_key(c, "role");
    if (format.len > 0 && !dataset_format_from_word(format, &options->format)) {
        case_broken(c, "no format '%.*s'", STR_ARG(format));
        return false;
    }
    options->role = str_equal(role, S("pred")) ? DATASET_PRED : DATASET_GOLD;
    return true;
}

static void run_read(test_case *c)
{
    dataset_options options = {.format = FORMAT_AUTO};
    if (!read_options(c, &options)) {
        return;
    }
    if (str_equal(case_key(c, "needs"), S("yaml")) && !HAS_YAML) {
        case_skip(c, S("built without libyaml"));
        return;
    }
    // The text of the output gets an arena of its own, so that it can grow in
    // place while records are read.
    arena scratch = case_scratch(c);
    buf out = buf_new(&scratch);
    diag d = diag_new(case_arena(c));
    dataset set;
    if (open_section(c, "file", options, &set, &d)) {
        if (options.format == FORMAT_AUTO) {
            buf_printf(&out, "format %.*s\n",
                       STR_ARG(dataset_format_word(set.format)));
        }
        for (ptrdiff_t i = 0; i < set.entries.len; i++) {
            record r = dataset_record(&set, i, case_arena(c));
            r.preds = dataset_extract(r.preds, r.n_preds, false, case_arena(c));
            add_record(&out, &r);
        }
        add_notes(&out, &set);
        dataset_close(&set);
    }
    add_errors(&out, &d, case_arena(c));
    case_output(c, "", buf_str(&out));
}

static void add_name(buf *out,
                     const dataset *set,
                     ptrdiff_t i,
                     const char *side,
                     arena *a)
{
    if (i < 0) {
        buf_add(out, S("none"));
        return;
    }
    record r = dataset_record(set, i, a);
    if (r.id.len > 0) {
        buf_printf(out, "%s %.*s", side, STR_ARG(r.id));
    } else {
        buf_printf(out, "%s line %lld", side, (long long)r.line);
    }
}

// The scratch memory of the case, for a text that grows and for the rest.
static arena split(test_case *c, arena *text)
{
    arena rest = case_scratch(c);
    *text = rest;
    text->end = rest.next + (rest.end - rest.next) / 2;
    rest.next = text->end;
    return rest;
}

static void run_pair(test_case *c)
{
    arena *a = case_arena(c);
    arena text;
    arena scratch = split(c, &text);
    buf out = buf_new(&text);
    diag d = diag_new(a);
    dataset gold;
    dataset pred;
    dataset_options as_pred = {.role = DATASET_PRED};
    if (open_section(c, "gold", (dataset_options){0}, &gold, &d)
        && open_section(c, "pred", as_pred, &pred, &d)) {
        pairing p;
        bool fits = pair_records(&p, a, &gold, &pred, NULL, &d, scratch);
        for (ptrdiff_t i = 0; i < gold.entries.len; i++) {
            add_name(&out, &gold, i, "gold", a);
            buf_add(&out, S(" <- "));
            add_name(&out, &pred, p.pred_of[i], "pred", a);
            buf_char(&out, '\n');
        }
        buf_printf(&out, "%s%s\n", fits ? "fits" : "does not fit",
                   p.by_id ? ", by id" : "");
    }
    add_errors(&out, &d, a);
    case_output(c, "", buf_str(&out));
}

static void run_extract(test_case *c)
{
    str note = {0};
    str sql = extract_sql(case_arena(c), input_of(c, "raw"), &note);
    buf out = buf_new(case_arena(c));
    buf_printf(&out, "[%.*s]\n", STR_ARG(note));
    while (sql.ptr) {
        add_plain(&out, str_cut(&sql, '\n'));
        buf_char(&out, '\n');
    }
    case_output(c, "", buf_str(&out));
}

static bool put(void *context, str text)
{
    buf_add(context, text);
    return true;
}

// The data sets of a conversion, from the sections that the case has.
static bool convert_inputs(test_case *c, convert_job *job, diag *d)
{
    arena *a = case_arena(c);
    dataset *sets = arena_new(a, dataset, 2);
    if (case_has_section(c, "file")) {
        job->gold = &sets[0];
        if (!open_section(c, "file", (dataset_options){0}, &sets[0], d)) {
            return false;
        }
    }
    if (case_has_section(c, "pred")) {
        job->pred = &sets[1];
        dataset_options options = {.role = DATASET_PRED};
        if (!open_section(c, "pred", options, &sets[1], d)) {
            return false;
        }
    }
    if (!job->gold || !job->pred) {
        return true;
    }
    pairing p;
    bool fits =
        pair_records(&p, a, job->gold, job->pred, NULL, d, case_scratch(c));
    job->pred_of = p.pred_of;
    return fits;
}

static void run_convert(test_case *c)
{
    convert_job job = {.limit = case_key_int(c, "limit", 0)};
    if (!dataset_format_from_word(case_key(c, "to"), &job.to)) {
        case_broken(c, "no format '%.*s'", STR_ARG(case_key(c, "to")));
        return;
    }
    arena *a = case_arena(c);
    diag d = diag_new(a);
    convert_result result = {0};
    arena text;
    arena scratch = split(c, &text);
    buf out = buf_new(&text);
    if (convert_inputs(c, &job, &d)) {
        convert_dataset(&job, (convert_sink){put, &out}, &result, &d, scratch);
    }
    add_errors(&out, &d, a);
    case_output(c, "", buf_str(&out));
    buf notes = buf_new(&text);
    for (int k = 0; k < CONVERT_LOSSES; k++) {
        if (result.lost[k] > 0) {
            buf_add(&notes,
                    convert_loss_text(a, (convert_loss)k, result.lost[k]));
            buf_char(&notes, '\n');
        }
    }
    case_output(c, "notes", buf_str(&notes));
}

const test_kind kind_read = {"read", "file", "format role bytes needs",
                             run_read};
const test_kind kind_pair = {"pair", "gold pred", "bytes", run_pair};
const test_kind kind_extract = {"extract", "raw", "bytes", run_extract};
const test_kind kind_convert = {"convert", "file pred", "to limit bytes",
                                run_convert};
