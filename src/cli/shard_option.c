/*
 * shard_option.c - see shard_option.h.
 *
 * Method      The head of a shard has every option that was given, but for
 *             those that bear on no answer, and the hash of the file with the
 *             cases: shards whose heads are the same are of one run.
 */
#include "cli/shard_option.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json_write.h"
#include "base/version.h"

shard shard_option(const cli *c)
{
    shard s = {0};
    shard_parse(&s, opt_text(c->o, OPT_SHARD));
    return s;
}

// Options that bear on no answer: where it goes, how fast, how it looks.
static bool bears_on_answers(opt_id id)
{
    static const opt_id others[] = {
        OPT_SHARD,    OPT_OUT,          OPT_JOBS,  OPT_RECORD,
        OPT_REPLAY,   OPT_CONCURRENCY,  OPT_RATE,  OPT_PRICES,
        OPT_MAX_COST, OPT_CALL_TIMEOUT, OPT_QUIET, OPT_COLOR,
    };
    for (ptrdiff_t i = 0; i < countof(others); i++) {
        if (id == others[i]) {
            return false;
        }
    }
    return true;
}

static void add_options(buf *b, const opt *o)
{
    buf_char(b, '{');
    for (int id = 0; id < OPT_COUNT; id++) {
        if (o->has[id] && bears_on_answers((opt_id)id)) {
            json_write(b, member_texts(opt_spec_at((opt_id)id)->name,
                                       o->values[id].ptr, o->values[id].len));
        }
    }
    buf_char(b, '}');
}

str shard_option_head(const cli *c,
                      arena *a,
                      shard s,
                      str input,
                      ptrdiff_t n_cases,
                      ptrdiff_t n_all)
{
    char hex[17];
    uint64_t hash = 0;
    diag ignored = diag_new(a);  // read before: a pipe is gone by now
    file_hash(&hash, a, input, &ignored);
    hash64_hex(hash, hex);
    buf b = buf_new(a);
    json_write(&b, json_begin('{'), member_int(S("journal"), 1),
               member_text(S("assay"), version_text()),
               member_text(S("command"), command_word(c->o->command)),
               member_bool(S("lines_only"), true),
               member_text(S("input"), str_from(hex)));
    json_key(&b, S("options"));
    add_options(&b, c->o);
    json_write(&b, member_text(S("shard"), opt_text(c->o, OPT_SHARD)));
    shard_add_counts(&b, s, n_cases, n_all);
    buf_add(&b, S("}\n"));
    return buf_str(&b);
}
