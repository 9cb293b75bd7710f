/*
 * judge_live.c - see judge_live.h: options in, a run of judge_run.h, totals
 * out.
 */
#include "cli/judge_live.h"

#include "base/file.h"
#include "run/judge_ground.h"
#include "run/judge_run.h"

#include <stdlib.h>

static const ptrdiff_t LINE_BYTES = (ptrdiff_t)1 << 30;

enum {
    SCHEMA_BYTES = 24 * 1024,  // of a prompt
    TRIAL_ROWS = 10,           // of a proposed table
    BACKOFF_MS = 500,
};

typedef struct live {
    const cli *c;
    judge_output *out;
    file_map file;
    str rest;  // of the file
    int64_t limit;
    int64_t n_read;
    int64_t n_broken;
    ground ground;
    prompt prompt;
    chat_record record;
    judge_run_options run;
    arena_store line_store;
    diag d;
    arena *a;
} live;

/* Ports. */

static bool next_pair(void *context, judge_pair *p, arena *a)
{
    live *l = context;
    while (l->rest.len > 0 && (l->limit < 0 || l->n_read < l->limit)) {
        str line = str_trim(str_cut(&l->rest, '\n'));
        const json *j = line.len > 0 ? json_parse(a, line, NULL) : NULL;
        bool is_pair = judge_pair_from_json(p, a, j) && p->left.len > 0
                       && p->right.len > 0;
        if (is_pair) {
            l->n_read++;
            return true;
        }
        // The first line of a journal describes the run.
        bool is_head = j && json_get(j, S("journal"));
        l->n_broken += line.len > 0 && !is_head;
    }
    return false;
}

static str schema_text(void *context, const judge_pair *p, arena *a, arena s)
{
    live *l = context;
    return ground_schema(&l->ground, p, a, s);
}

static void take(void *context,
                 const judge_pair *p,
                 const judge_result *r,
                 arena scratch)
{
    live *l = context;
    judge_output_add(l->out, p, r, scratch);
}

/* Options. */

static bool open_prompt(live *l)
{
    const opt *o = l->c->o;
    const str *known = NULL;
    ptrdiff_t n = session_fields(&known);
    if (!prompt_open(&l->prompt, l->a, opt_text(o, OPT_PROMPT), &l->d)) {
        return false;
    }
    str unknown = prompt_unknown_field(&l->prompt, known, n);
    return unknown.len == 0
           || diag_add(&l->d, (diag_place){.file = opt_text(o, OPT_PROMPT)},
                       "unknown field '{%.*s}'", STR_ARG(unknown));
}

static double number_of(const json *j, str key)
{
    const json *m = json_get(j, key);
    return m ? m->real : 0;
}

// The price of the model out of the table of --prices.
static bool read_prices(live *l)
{
    const opt *o = l->c->o;
    str path = opt_text(o, OPT_PRICES);
    file_map file;
    if (path.len > 0 && file_open(&file, l->a, path, &l->d)) {
        const json *j = json_parse(l->a, file.bytes, NULL);
        const json *price = json_get(j, opt_text(o, OPT_MODEL));
        l->run.price = (judge_price){.is_known = price != NULL,
                                     .in = number_of(price, S("in")),
                                     .out = number_of(price, S("out"))};
        file_close(&file);
    }
    l->run.max_cost =
        opt_has(o, OPT_MAX_COST) ? opt_double(o, OPT_MAX_COST) : -1;
    return l->run.max_cost < 0 || l->run.price.is_known
           || diag_add(&l->d, (diag_place){0},
                       "--max-cost needs the price of '%.*s' in --prices",
                       STR_ARG(opt_text(o, OPT_MODEL)));
}

static bool open_record(live *l)
{
    const opt *o = l->c->o;
    const opt_values *replays = opt_texts(o, OPT_REPLAY);
    str path = opt_text(o, OPT_RECORD);
    l->record = chat_record_new(l->a);
    for (ptrdiff_t i = 0; i < replays->len; i++) {
        if (!chat_record_load(&l->record, replays->ptr[i], &l->d,
                              &l->line_store)) {
            return false;
        }
    }
    if (path.len == 0) {
        return true;
    }
    bool is_there = file_exists(arena_cstr(l->a, path));
    return (!is_there
            || chat_record_load(&l->record, path, &l->d, &l->line_store))
           && chat_record_append(&l->record, path, &l->d,
                                 arena_store_clear(&l->line_store));
}

static bool open_chat(live *l)
{
    const opt *o = l->c->o;
    bool has_answers = opt_has(o, OPT_REPLAY);
    if (opt_flag(o, OPT_DRY_RUN) || has_answers) {
        return true;
    }
    const char *base = getenv("ASSAY_API_BASE");
    base = base ? base : getenv("OPENAI_BASE_URL");
    str url = base ? str_from(base) : S("https://api.openai.com/v1");
    while (str_ends(url, S("/"))) {
        url.len--;
    }
    chat_options options = {
        .base_url = url,
        .key = getenv("OPENAI_API_KEY"),
        .concurrency = l->run.concurrency,
        .rate = opt_double(o, OPT_RATE),
        .timeout_ms = (int64_t)(opt_double(o, OPT_CALL_TIMEOUT) * 1000),
        .max_tries = opt_has(o, OPT_TRIES) ? opt_int(o, OPT_TRIES) : 6,
        .backoff_ms = BACKOFF_MS,
        .seed = 1,
    };
    l->run.chat = chat_open(l->a, &options, &l->d);
    return l->run.chat != NULL;
}

static str folder_of(str path)
{
    ptrdiff_t end = path.len;
    while (end > 0 && path.ptr[end - 1] != '/') {
        end--;
    }
    return end > 1 ? str_sub(path, 0, end - 1) : S(".");
}

static bool open_ground(live *l, str path, arena scratch)
{
    ground_options options = {
        .db = opt_text(l->c->o, OPT_DB),
        .tables = opt_text(l->c->o, OPT_TABLES),
        .folder = folder_of(path),
        .max_rows = TRIAL_ROWS,
        .max_schema_bytes = SCHEMA_BYTES,
    };
    return ground_open(&l->ground, l->a, &options, &l->d, scratch);
}

static void read_options(live *l)
{
    const opt *o = l->c->o;
    ptrdiff_t votes = (ptrdiff_t)opt_int(o, OPT_VOTES);
    bool is_greedy = opt_double(o, OPT_TEMPERATURE) <= 0;
    votes = votes < 1 ? 1 : votes > 64 ? 64 : votes;
    votes = opt_flag(o, OPT_SWAP) && votes < 2 ? 2 : votes;
    if (is_greedy && votes > 2) {
        cli_say(l->c, "at temperature 0 a third vote repeats the first; 2 "
                      "votes are asked");
        votes = 2;
    }
    l->run.votes = votes;
    l->run.concurrency = (ptrdiff_t)opt_int(o, OPT_CONCURRENCY);
    l->run.ask = opt_is(o, OPT_ASK, S("doubt")) ? ASK_DOUBT : ASK_ALL;
    l->run.record = &l->record;
    l->run.session = (session_options){
        .prompt = &l->prompt,
        .model = opt_text(o, OPT_MODEL),
        .temperature = opt_double(o, OPT_TEMPERATURE),
        .max_tokens = opt_int(o, OPT_MAX_TOKENS),
        .n_shots = (ptrdiff_t)opt_int(o, OPT_SHOTS),
        .rounds = (ptrdiff_t)opt_int(o, OPT_ROUNDS),
        .max_rows = TRIAL_ROWS,
        .dialect = S("SQLite"),
        .is_grounded = prompt_section_text(&l->prompt, S("same")).len > 0,
        .bench = {&l->ground, ground_trial},
    };
    l->limit = opt_has(o, OPT_LIMIT) ? opt_int(o, OPT_LIMIT) : -1;
}

static bool open_all(live *l, str path, arena scratch)
{
    bool ok = open_prompt(l) && open_ground(l, path, scratch)
              && file_open(&l->file, l->a, path, &l->d);
    if (ok) {
        read_options(l);
        l->rest = l->file.bytes;
        ok = read_prices(l) && open_record(l) && open_chat(l);
    }
    return ok;
}

/* What is done. */

static exit_code print_prompts(live *l, arena scratch)
{
    judge_pair p;
    int64_t n = 0;
    int64_t tokens = 0;
    arena pair_arena = arena_store_clear(&l->line_store);
    bool ok = true;
    while (ok && next_pair(l, &p, &pair_arena)) {
        str text = ground_schema(&l->ground, &p, &pair_arena, scratch);
        session s;
        session_begin(&s, &pair_arena, &l->run.session, &p, text,
                      (session_vote){.seed = -1}, scratch);
        buf out = buf_new(&pair_arena);
        for (ptrdiff_t i = 0; i < s.n_messages; i++) {
            buf_printf(&out, "### %.*s %.*s\n%.*s\n\n", STR_ARG(p.id),
                       STR_ARG(s.messages[i].role),
                       STR_ARG(s.messages[i].text));
            tokens += chat_tokens(s.messages[i].text) * l->run.votes;
        }
        ok = cli_print(l->c, buf_str(&out));
        n += l->run.votes;
        pair_arena = arena_store_clear(&l->line_store);
    }
    int64_t most = n * l->run.session.max_tokens;
    cli_say(l->c, "%lld calls, about %lld tokens in, at most %lld out",
            (long long)n, (long long)tokens, (long long)most);
    if (l->run.price.is_known) {
        double in = (double)tokens * l->run.price.in / 1e6;
        double out = (double)most * l->run.price.out / 1e6;
        cli_say(l->c, "about %.4f in, at most %.4f out", in, out);
    }
    return ok ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}

static void say_totals(const live *l, const judge_totals *t)
{
    cli_say(l->c,
            "%lld calls (%lld tries), %lld answers from records, %lld pairs "
            "settled without a call",
            (long long)t->n_calls, (long long)t->n_tries,
            (long long)t->n_recorded, (long long)t->n_settled);
    if (t->n_calls > 0) {
        cli_say(l->c, "%lld tokens in, %lld out", (long long)t->tokens_in,
                (long long)t->tokens_out);
    }
    if (l->run.price.is_known) {
        cli_say(l->c, "cost %.4f%s", t->cost,
                t->hit_max_cost ? "; --max-cost ended the asking" : "");
    }
}

static exit_code ask_all(live *l, arena scratch)
{
    judge_totals totals;
    judge_ports ports = {l, next_pair, schema_text, take};
    bool ok = judge_run(&l->run, &ports, &totals, l->a, scratch);
    exit_code code = judge_output_close(l->out, scratch);
    if (!opt_flag(l->c->o, OPT_QUIET)) {
        say_totals(l, &totals);
    }
    if (totals.n_failed > 0) {
        cli_say(l->c, "%lld questions got no answer",
                (long long)totals.n_failed);
    }
    if (totals.lost_record) {
        cli_say(l->c, "answers could not be written to --record");
    }
    if (l->n_broken > 0) {
        cli_say(l->c, "%.*s: %lld lines hold no pair", STR_ARG(l->file.path),
                (long long)l->n_broken);
    }
    bool is_fine =
        ok && totals.n_failed == 0 && !totals.lost_record && l->n_broken == 0;
    return is_fine ? code : EXIT_CODE_INPUT;
}

exit_code judge_live(judge_output *out, str path, arena *a, arena scratch)
{
    live l = {.c = out->c, .out = out, .a = a};
    l.d = diag_new(a);
    if (!arena_store_open(&l.line_store, LINE_BYTES)) {
        cli_say(l.c, "no address space");
        return EXIT_CODE_INPUT;
    }
    exit_code code = EXIT_CODE_INPUT;
    bool ok = open_all(&l, path, scratch);
    cli_say_all(l.c, &l.d, scratch);
    if (!ok) {
        judge_output_discard(out);
    } else if (opt_flag(l.c->o, OPT_DRY_RUN)) {
        judge_output_discard(out);
        code = print_prompts(&l, scratch);
    } else {
        code = ask_all(&l, scratch);
    }
    chat_close(l.run.chat);
    chat_record_close(&l.record);
    ground_close(&l.ground);
    file_close(&l.file);
    arena_store_close(&l.line_store);
    return code;
}
