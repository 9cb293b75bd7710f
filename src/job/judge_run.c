/*
 * judge_run.c - see judge_run.h.
 *
 * Method      A ring of places, one pair each, in the order of the input; a
 *             pair's votes are asked side by side. What is to be asked next
 *             waits in a queue; a text that is on its way already is parked
 *             until its answer is there, and then taken from the record. The
 *             head of the ring goes out when all its votes are in.
 *
 * Invariants  (1) No text is sent while the same text is on its way, or after
 *                 it was answered: nothing is paid twice.
 *             (2) An answer is written down before it is used.
 */
#include "job/judge_run.h"

#include "base/ring.h"

// Reserved, not used: room for what a hostile server makes of 4 MB of response,
// some hundred bytes of tree for each two of them, many times.
static const ptrdiff_t PLACE_BYTES = (ptrdiff_t)2 << 30;

enum {
    PLACES_PER_CALL = 32,  // so that one slow answer does not hold up all
    PLACES_MAX = 2048,
    TOKENS_GUESS = 500,  // of an answer, before one was seen
};

typedef struct place {
    arena_store store;
    arena a;
    judge_pair pair;
    str schema_text;
    session *votes;
    str *bodies;        // by vote, of the call on its way
    double *promised;   // by vote, what that call may cost
    ptrdiff_t n_open;   // votes that are not done
    ptrdiff_t n_taken;  // answers of records without keys
    bool is_settled;
    judge_result result;
} place;

typedef struct runner {
    const judge_run_options *o;
    const judge_ports *ports;
    judge_totals *t;
    place *places;
    ptrdiff_t n_places;
    ptrdiff_t head;  // the oldest pair
    ptrdiff_t n_used;
    bool is_at_end;
    ring ready;  // votes that wait to be asked: place * votes + vote
    ring parked;
    map keys;             // of texts on their way, now or once
    vec_of(bool) on_way;  // by key
    double promised;      // cost of the calls on their way
    arena_store answer_store;
    arena *a;
    arena scratch;
} runner;

static place *place_of(const runner *r, int32_t vote)
{
    return &r->places[vote / r->o->votes];
}

/* Cost. */

static double cost_of(const runner *r, int64_t in, int64_t out)
{
    return ((double)in * r->o->price.in + (double)out * r->o->price.out) / 1e6;
}

static double expected_cost(const runner *r, str body)
{
    int64_t out = r->t->n_calls > 0 ? r->t->tokens_out / r->t->n_calls
                                    : (int64_t)TOKENS_GUESS;
    return cost_of(r, chat_tokens(body), out);
}

/* Places. */

static void start_votes(runner *r, ptrdiff_t no)
{
    place *p = &r->places[no];
    ptrdiff_t n = r->o->votes;
    p->votes = arena_new(&p->a, session, n);
    p->bodies = arena_new(&p->a, str, n);
    p->promised = arena_new(&p->a, double, n);
    for (ptrdiff_t v = 0; v < n; v++) {
        bool is_varied = r->o->session.temperature > 0 && n > 1;
        session_vote vote = {.is_swapped = r->o->swaps && v % 2 == 1,
                             .seed = is_varied ? v : -1};
        session_begin(&p->votes[v], &p->a, &r->o->session, &p->pair,
                      p->schema_text, vote, r->scratch);
        ring_push(&r->ready, (int32_t)(no * n + v));
    }
    p->n_open = n;
}

void judge_doubts_add(judge_doubts *t, arena *a, str asked)
{
    if (asked.len > 0) {
        ptrdiff_t id = map_add(&t->kinds, a, asked);
        ++*vec_at(a, &t->n, id);
    }
}

// Takes in one more pair; false at the end.
static bool take_in(runner *r)
{
    const judge_bench *bench = &r->o->session.bench;
    ptrdiff_t no = (r->head + r->n_used) % r->n_places;
    place *p = &r->places[no];
    p->a = arena_store_clear(&p->store);
    p->n_taken = 0;
    if (!r->ports->next(r->ports->context, &p->pair, &p->a)) {
        r->is_at_end = true;
        return false;
    }
    r->n_used++;
    r->t->n_pairs++;
    p->n_open = 0;
    bool has_nothing = p->pair.right.len == 0 && !r->ports->take_votes
                       && !judge_is_unanswerable(&p->pair);
    p->result = (judge_result){.decision = DECISION_INEQUIVALENT,
                               .why = S("no_prediction")};
    p->is_settled =
        has_nothing
        || judge_is_settled(&p->pair, r->o->ask, r->o->session.prompt->notion,
                            &p->result, &p->a);
    if (p->is_settled) {
        r->t->n_settled++;
        return true;
    }
    judge_doubts_add(&r->t->doubts, r->a, p->result.asked);
    p->schema_text = r->ports->schema
                         ? r->ports->schema(r->ports->context, &p->pair, &p->a)
                         : bench->schema(bench->context, &p->pair, &p->a);
    start_votes(r, no);
    return true;
}

static void put_out(runner *r)
{
    while (r->n_used > 0 && r->places[r->head].n_open == 0) {
        place *p = &r->places[r->head];
        if (r->ports->take_votes && !p->is_settled) {
            r->ports->take_votes(r->ports->context, &p->pair, p->votes,
                                 r->o->votes, r->scratch);
        } else if (!p->is_settled) {
            str asked = p->result.asked;
            p->result = session_combine(p->votes, r->o->votes);
            p->result.asked = asked;
        }
        if (p->is_settled || !r->ports->take_votes) {
            r->ports->take(r->ports->context, &p->pair, &p->result, r->scratch);
        }
        r->head = (r->head + 1) % r->n_places;
        r->n_used--;
    }
}

/* Asking. */

static session *session_at(const runner *r, int32_t vote)
{
    return &place_of(r, vote)->votes[vote % r->o->votes];
}

static void close_vote(runner *r, int32_t vote, str why)
{
    session_fail(session_at(r, vote), why);
    if (r->t->n_failed == 0) {
        r->t->first_error = arena_str(r->a, why);
    }
    place_of(r, vote)->n_open--;
    r->t->n_failed++;
}

static void hand_over(runner *r, int32_t vote, str text, bool is_cut)
{
    reply_end end = is_cut ? REPLY_END_CUT : REPLY_END_WHOLE;
    if (session_take(session_at(r, vote), text, end, r->scratch)) {
        ring_push(&r->ready, vote);
    } else {
        place_of(r, vote)->n_open--;
    }
}

static bool *on_way(runner *r, str key)
{
    ptrdiff_t id = map_add(&r->keys, r->a, key);
    return vec_at(r->a, &r->on_way, id);
}

// Is the call too dear for what is left?
static bool is_too_dear(const runner *r, str body)
{
    return r->o->max_cost >= 0
           && r->t->cost + r->promised + expected_cost(r, body)
                  > r->o->max_cost;
}

typedef enum asked {
    ASKED,
    ASKED_LATER,  // no room: nothing more can be sent now
} asked;

static asked ask(runner *r, int32_t vote)
{
    place *p = place_of(r, vote);
    ptrdiff_t no = vote % r->o->votes;
    str body = session_request(&p->votes[no], &p->a);
    str key = chat_key(&p->a, body);
    const recorded_answer *known =
        chat_record_find(r->o->record, key, p->pair.id, p->n_taken);
    if (known) {
        p->n_taken++;
        r->t->n_recorded++;
        hand_over(r, vote, known->text, known->is_cut);
        return ASKED;
    }
    if (!r->o->chat || r->t->is_hopeless) {
        close_vote(r, vote,
                   r->o->chat ? r->t->first_error : S("no recorded answer"));
        return ASKED;
    }
    if (*on_way(r, key)) {
        ring_push(&r->parked, vote);
        return ASKED;
    }
    if (!chat_has_room(r->o->chat)) {
        ring_push(&r->ready, vote);
        return ASKED_LATER;
    }
    if (is_too_dear(r, body)) {
        r->t->hit_max_cost = true;
        close_vote(r, vote, S("max-cost"));
        return ASKED;
    }
    *on_way(r, key) = true;
    p->bodies[no] = body;
    p->promised[no] = expected_cost(r, body);
    r->promised += p->promised[no];
    chat_send(r->o->chat, vote, body);
    return ASKED;
}

static void take_answer(runner *r, ptrdiff_t id, const chat_answer *answer)
{
    int32_t vote = (int32_t)id;
    place *p = place_of(r, vote);
    str body = p->bodies[vote % r->o->votes];
    chat_entry e = {.key = chat_key(&p->a, body),
                    .id = p->pair.id,
                    .prompt = r->o->session.prompt->name,
                    .request = body};
    *on_way(r, e.key) = false;
    r->promised -= p->promised[vote % r->o->votes];
    r->t->n_tries += answer->n_tries;
    if (answer->status != CHAT_OK) {
        // Of a server that has answered before, one refusal is no proof.
        r->t->is_hopeless |=
            answer->status == CHAT_HOPELESS && r->t->n_calls == 0;
        close_vote(r, vote, arena_str(&p->a, answer->error));
        return;
    }
    e.cost = cost_of(r, answer->tokens_in, answer->tokens_out);
    r->t->n_calls++;
    r->t->tokens_in += answer->tokens_in;
    r->t->tokens_out += answer->tokens_out;
    r->t->cost += e.cost;
    if (!chat_record_add(r->o->record, &e, answer, r->scratch)) {
        r->t->lost_record = true;
    }
    hand_over(r, vote, answer->text, answer->is_cut);
}

static void wait_for_one(runner *r)
{
    ptrdiff_t id = 0;
    chat_answer answer;
    arena a = arena_store_clear(&r->answer_store);
    if (r->o->chat && chat_wait(r->o->chat, &id, &answer, &a)) {
        take_answer(r, id, &answer);
    }
    while (r->parked.len > 0) {
        ring_push(&r->ready, ring_pop(&r->parked));
    }
}

static bool open_places(runner *r)
{
    ptrdiff_t n = r->o->concurrency * PLACES_PER_CALL;
    n = n > PLACES_MAX ? PLACES_MAX : n < 1 ? 1 : n;
    r->n_places = n;
    r->places = arena_new(r->a, place, n);
    r->ready = ring_new(r->a, n * r->o->votes);
    r->parked = ring_new(r->a, n * r->o->votes);
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!arena_store_open(&r->places[i].store, PLACE_BYTES)) {
            return false;
        }
    }
    return arena_store_open(&r->answer_store, PLACE_BYTES);
}

bool judge_run(const judge_run_options *o,
               const judge_ports *ports,
               judge_totals *totals,
               arena *a,
               arena scratch)
{
    runner r = {.o = o, .ports = ports, .t = totals, .a = a};
    r.scratch = scratch;
    *totals = (judge_totals){0};
    bool ok = open_places(&r);
    while (ok) {
        while (!r.is_at_end && r.n_used < r.n_places && take_in(&r)) {
        }
        bool has_room = true;
        while (has_room && r.ready.len > 0) {
            has_room = ask(&r, ring_pop(&r.ready)) == ASKED;
        }
        put_out(&r);
        if (r.is_at_end && r.n_used == 0) {
            break;
        }
        if (!has_room || r.ready.len == 0) {
            wait_for_one(&r);
        }
    }
    for (ptrdiff_t i = 0; i < r.n_places; i++) {
        arena_store_close(&r.places[i].store);
    }
    arena_store_close(&r.answer_store);
    return ok;
}
