/*
 * model_setup.c - from options and environment to a run of a model.
 *
 * Method      The prompt first, then databases, prices, records; the connection
 *             last, and none at all for --dry-run or where records answer
 *             everything. The key of the API is read from the environment only
 *             and is shown in no message.
 */
#include "cli/model_setup.h"

#include "base/file.h"

#include <stdlib.h>

static const ptrdiff_t LINE_BYTES = (ptrdiff_t)1 << 30;

enum {
    SCHEMA_BYTES = 24 * 1024,  // of a prompt
    BACKOFF_MS = 500,
};

static bool open_prompt(model_setup *m, str usual)
{
    str given = opt_text(m->c->o, OPT_PROMPT);
    str name = given.len > 0 ? given : usual;
    const str *known = NULL;
    ptrdiff_t n = session_fields(&known);
    if (!prompt_open(&m->prompt, m->a, name, &m->d)) {
        return false;
    }
    str unknown = prompt_unknown_field(&m->prompt, known, n);
    return unknown.len == 0
           || diag_add(&m->d, (diag_place){.file = name},
                       "unknown field '{%.*s}'", STR_ARG(unknown));
}

static double number_of(const json *j, str key)
{
    const json *m = json_get(j, key);
    return m ? m->real : 0;
}

// The price of the model out of the table of --prices.
static bool read_prices(model_setup *m)
{
    const opt *o = m->c->o;
    str path = opt_text(o, OPT_PRICES);
    str text;
    if (path.len > 0 && file_text(&text, m->a, path, &m->d)) {
        const json *j = json_parse(m->a, text, NULL);
        const json *price = json_get(j, m->run.session.model);
        m->run.price = (judge_price){.is_known = price != NULL,
                                     .in = number_of(price, S("in")),
                                     .out = number_of(price, S("out"))};
    }
    m->run.max_cost =
        opt_has(o, OPT_MAX_COST) ? opt_double(o, OPT_MAX_COST) : -1;
    return m->run.max_cost < 0 || m->run.price.is_known
           || diag_add(&m->d, (diag_place){0},
                       "--max-cost needs the price of '%.*s' in --prices",
                       STR_ARG(m->run.session.model));
}

// Of answers without a --model, the one that gave them.
static bool choose_model(model_setup *m)
{
    const map *models = &m->record.models;
    str *model = &m->run.session.model;
    if (model->len == 0 && map_count(models) == 1) {
        *model = map_key_at(models, 0);
    }
    return model->len > 0 || map_count(models) == 0
           || diag_add(&m->d, (diag_place){0},
                       "the recorded answers are of --model %.*s: give one",
                       STR_ARG(chat_record_models(&m->record, m->a)));
}

static bool open_record(model_setup *m)
{
    const opt *o = m->c->o;
    const str_list *replays = opt_texts(o, OPT_REPLAY);
    str path = opt_text(o, OPT_RECORD);
    for (ptrdiff_t i = 0; i < replays->len; i++) {
        if (!chat_record_load(&m->record, replays->ptr[i], &m->d,
                              &m->line_store)) {
            return false;
        }
    }
    if (path.len == 0) {
        return true;
    }
    bool is_there = file_exists(arena_cstr(m->a, path));
    return (!is_there
            || chat_record_load(&m->record, path, &m->d, &m->line_store))
           && chat_record_append(&m->record, path, &m->d,
                                 arena_store_clear(&m->line_store));
}

// The value of the variable, without blanks around it; NULL when there is none.
static const char *variable(model_setup *m, const char *name)
{
    str text = str_trim(str_from(getenv(name)));
    return text.len > 0 ? arena_cstr(m->a, text) : NULL;
}

// A line break in a key would be a header of its own.
static bool is_header_text(const char *key)
{
    for (const char *p = key; p && *p; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f) {
            return false;
        }
    }
    return true;
}

// Certificates are the system's, unless the variables that OpenSSL and curl
// know name others.
static void set_certificates(model_setup *m, chat_options *options)
{
    options->ca_file = variable(m, "CURL_CA_BUNDLE");
    if (!options->ca_file) {
        options->ca_file = variable(m, "SSL_CERT_FILE");
    }
    options->ca_folder = variable(m, "SSL_CERT_DIR");
}

static bool open_chat(model_setup *m)
{
    const opt *o = m->c->o;
    bool has_answers = opt_has(o, OPT_REPLAY) && !opt_flag(o, OPT_ALLOW_LIVE);
    if (opt_flag(o, OPT_DRY_RUN) || has_answers) {
        return true;
    }
    double seconds = opt_double(o, OPT_CALL_TIMEOUT);
    const char *base = variable(m, "ASSAY_API_BASE");
    base = base ? base : variable(m, "OPENAI_BASE_URL");
    str url = base ? str_from(base) : S("https://api.openai.com/v1");
    while (str_ends(url, S("/"))) {
        url.len--;
    }
    // An address that holds a password is not repeated.
    m->url = str_find(url, S("@"), 0) < 0 ? url : S("the server");
    chat_options options = {
        .base_url = url,
        .key = variable(m, "OPENAI_API_KEY"),
        .concurrency = m->run.concurrency,
        .rate = opt_double(o, OPT_RATE),
        .timeout_ms = (int64_t)(seconds * 1000),
        .max_tries = opt_has(o, OPT_TRIES) ? opt_int(o, OPT_TRIES) : 6,
        .backoff_ms = BACKOFF_MS,
        .seed = 1,
    };
    if (!is_header_text(options.key)) {
        return diag_add(&m->d, (diag_place){0},
                        "OPENAI_API_KEY contains a control character");
    }
    set_certificates(m, &options);
    m->run.chat = chat_open(m->a, &options, &m->d);
    return m->run.chat != NULL;
}

static bool open_ground(model_setup *m, str folder, arena scratch)
{
    ground_options options = {
        .db = opt_text(m->c->o, OPT_DB),
        .tables = opt_text(m->c->o, OPT_TABLES),
        .folder = folder,
        .takes_any_path = opt_flag(m->c->o, OPT_ANY_PATH),
        .max_rows = MODEL_TRIAL_ROWS,
        .max_schema_bytes = SCHEMA_BYTES,
    };
    return ground_worker_open(&m->ground, m->a, &options, &m->d, scratch);
}

static void read_options(model_setup *m)
{
    const opt *o = m->c->o;
    m->run.concurrency = (ptrdiff_t)opt_int(o, OPT_CONCURRENCY);
    m->run.record = &m->record;
    m->run.session = (session_options){
        .prompt = &m->prompt,
        .model = opt_text(o, OPT_MODEL),
        .temperature = opt_double(o, OPT_TEMPERATURE),
        .max_tokens = opt_int(o, OPT_MAX_TOKENS),
        .n_shots = (ptrdiff_t)opt_int(o, OPT_SHOTS),
        .rounds = (ptrdiff_t)opt_int(o, OPT_ROUNDS),
        .max_rows = MODEL_TRIAL_ROWS,
        .dialect = S("SQLite"),
        .is_grounded = prompt_section_text(&m->prompt, S("same")).len > 0,
        .bench = {&m->ground, ground_worker_schema, ground_worker_trial},
    };
}

bool model_setup_open(model_setup *m,
                      const cli *c,
                      str usual,
                      str folder,
                      arena *a,
                      arena scratch)
{
    *m = (model_setup){.c = c, .a = a};
    m->d = diag_new(a);
    m->record = chat_record_new(a);
    if (!arena_store_open(&m->line_store, LINE_BYTES)) {
        return diag_add(&m->d, (diag_place){0},
                        "no address space (see `ulimit -v`)");
    }
    if (!open_prompt(m, usual) || !open_ground(m, folder, scratch)) {
        return false;
    }
    read_options(m);
    return open_record(m) && choose_model(m) && read_prices(m) && open_chat(m);
}

void model_setup_close(model_setup *m)
{
    chat_close(m->run.chat);
    chat_record_close(&m->record);
    ground_worker_close(&m->ground);
    arena_store_close(&m->line_store);
}

// The messages of a question; adds their tokens for each vote.
static bool print_question(model_setup *m,
                           const judge_pair *p,
                           int64_t *tokens,
                           arena *a,
                           arena scratch)
{
    session s;
    str tables = ground_worker_schema(&m->ground, p, a);
    session_begin(&s, a, &m->run.session, p, tables, (session_vote){.seed = -1},
                  scratch);
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i < s.n_messages; i++) {
        str text = s.messages[i].text;
        buf_printf(&out, "### %.*s %.*s\n%.*s\n\n", STR_ARG(p->id),
                   STR_ARG(s.messages[i].role), STR_ARG(text));
        *tokens += chat_tokens(text) * m->run.votes;
    }
    return cli_print(m->c, buf_str(&out));
}

static void say_estimate(const model_setup *m, int64_t calls, int64_t tokens)
{
    int64_t most = calls * m->run.session.max_tokens;
    cli_say(m->c, "%lld call%s, about %lld tokens in, at most %lld out",
            (long long)calls, plural(calls), (long long)tokens,
            (long long)most);
    if (m->run.price.is_known) {
        cli_say(m->c, "about %.4f in, at most %.4f out",
                (double)tokens * m->run.price.in / 1e6,
                (double)most * m->run.price.out / 1e6);
    }
}

static void say_doubts(const model_setup *m, const judge_doubts *t)
{
    for (ptrdiff_t i = 0; i < map_count(&t->kinds); i++) {
        str kind = map_key_at(&t->kinds, i);
        int64_t n = t->n.ptr[i];
        cli_say(m->c, "%lld pair%s in doubt: %.*s", (long long)n, plural(n),
                STR_ARG(kind));
    }
}

bool model_setup_dry_run(model_setup *m,
                         const judge_ports *ports,
                         arena scratch)
{
    judge_pair p;
    judge_doubts doubts = {0};
    int64_t n_asked = 0;
    int64_t n_settled = 0;
    int64_t tokens = 0;
    arena a = arena_store_clear(&m->line_store);
    bool ok = true;
    while (ok && ports->next(ports->context, &p, &a)) {
        judge_result known = {0};
        bool is_settled =
            ports->take
            && judge_is_settled(&p, m->run.ask, m->prompt.notion, &known, &a);
        judge_doubts_add(&doubts, m->a, known.asked);
        ok = is_settled || print_question(m, &p, &tokens, &a, scratch);
        n_settled += is_settled;
        n_asked += !is_settled;
        a = arena_store_clear(&m->line_store);
    }
    say_estimate(m, n_asked * m->run.votes, tokens);
    if (ports->take && m->run.ask != ASK_ALL) {
        cli_say(m->c, "%lld of %lld pairs %s no call", (long long)n_settled,
                (long long)n_settled + (long long)n_asked,
                n_settled == 1 ? "needs" : "need");
    }
    say_doubts(m, &doubts);
    return ok;
}

static void say_totals(const model_setup *m, const judge_totals *t)
{
    str settled = S("");
    if (t->n_settled > 0) {
        settled = arena_printf(m->a, ", %lld pair%s settled without a call",
                               (long long)t->n_settled, plural(t->n_settled));
    }
    cli_say(m->c, "%lld call%s (%lld tr%s), %lld answer%s from records%.*s",
            (long long)t->n_calls, plural(t->n_calls), (long long)t->n_tries,
            t->n_tries == 1 ? "y" : "ies", (long long)t->n_recorded,
            plural(t->n_recorded), STR_ARG(settled));
    say_doubts(m, &t->doubts);
    if (m->record.n_broken > 0) {
        cli_say(m->c, "%lld line%s of the records contain no answer",
                (long long)m->record.n_broken, plural(m->record.n_broken));
    }
    if (t->n_calls > 0) {
        cli_say(m->c, "%lld tokens in, %lld out", (long long)t->tokens_in,
                (long long)t->tokens_out);
    }
    if (m->run.price.is_known) {
        cli_say(m->c, "cost %.4f%s", t->cost,
                t->hit_max_cost ? "; stopped by --max-cost" : "");
    }
}

// Answers are there, and none was found: with what were they asked for?
static void say_why_unrecorded(const model_setup *m)
{
    const session_options *o = &m->run.session;
    const call_settings asked = {{
        [CALL_MODEL] = o->model,
        [CALL_PROMPT] = o->prompt->name,
        [CALL_TEMPERATURE] = chat_record_number(m->a, o->temperature),
        [CALL_MAX_TOKENS] = chat_record_number(m->a, (double)o->max_tokens),
    }};
    str differs = chat_record_differs(&m->record, &asked, m->a);
    if (differs.len > 0) {
        cli_say(m->c, "the recorded answers are of %.*s", STR_ARG(differs));
    }
}

bool model_setup_say(const model_setup *m, const judge_totals *t)
{
    if (!opt_flag(m->c->o, OPT_QUIET)) {
        say_totals(m, t);
    }
    if (t->n_failed > 0) {
        cli_say(m->c, "%lld question%s got no answer: %.*s%s%.*s%s",
                (long long)t->n_failed, plural(t->n_failed),
                STR_ARG(t->first_error), m->url.len > 0 ? " (" : "",
                STR_ARG(m->url), m->url.len > 0 ? ")" : "");
    }
    if (t->n_failed > 0 && !m->run.chat) {
        say_why_unrecorded(m);
    }
    if (t->lost_record) {
        cli_say(m->c, "answers could not be written to --record");
    }
    return t->n_failed == 0 && !t->lost_record;
}
