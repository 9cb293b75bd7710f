/*
 * kind_proof.c - the kind of proofs of equivalence.
 *
 *   proof  ddl, left, right: whether they are proved equivalent, the rules of
 *          each side in the order of application, what was assumed, and which
 *          columns were paired; `assume` has the words of --assume, `columns:
 *          same` keeps their order, `rounds: yes` lets results differ by
 *          rounding, `elsewhere: mysql` says whose queries they are in SQLite's
 *          words, `without` switches a rule off, `forms: yes` shows the
 *          canonical forms; `solver: z3` asks the solver what the rules leave
 *          open, and wants that they do
 */
#include "kind.h"
#include "prove/prove.h"
#include "prove/solver.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

static bool read_assumptions(test_case *c, unsigned *out)
{
    str rest = case_key(c, "assume");
    *out = rest.len > 0 ? 0 : ASSUME_DEFAULT;
    while (rest.len > 0) {
        str word = str_trim(str_cut(&rest, ','));
        bool known = str_equal(word, S("none"));
        for (unsigned bit = 1; bit <= ASSUME_LAST; bit <<= 1) {
            if (str_equal(assume_word(bit), word)) {
                *out |= bit;
                known = true;
            }
        }
        if (!known) {
            case_broken(c, "no assumption '%.*s'", STR_ARG(word));
            return false;
        }
    }
    return true;
}

static binding *bind_section(test_case *c,
                             const char *name,
                             const schema *s,
                             dialect d)
{
    parse_result r =
        parse_sql(case_arena(c), case_section(c, name), d, case_scratch(c));
    if (r.errors.len > 0 || !r.statements || !ast_is_query(r.statements)) {
        case_broken(c, "%s is no query", name);
        return NULL;
    }
    return bind_query(case_arena(c), r.statements, s, d, case_scratch(c));
}

static void add_rules(buf *out, const proof *p, prove_side side)
{
    bool any = false;
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        const proof_step *s = &p->steps.ptr[i];
        if (s->side == side && s->pos >= 0) {
            buf_printf(out, "%s%.*s",
                       any                  ? ", "
                       : side == PROVE_LEFT ? "left: "
                                            : "right: ",
                       STR_ARG(s->rule));
            any = true;
        }
    }
    buf_add(out, any ? S("\n") : S(""));
}

static void add_proof(buf *out, const proof *p)
{
    if (!p->is_proved) {
        buf_printf(out, "not proved%s%.*s\n", p->obstacle.len > 0 ? ": " : "",
                   STR_ARG(p->obstacle));
        return;
    }
    buf_add(out, S("equivalent\n"));
    add_rules(out, p, PROVE_LEFT);
    add_rules(out, p, PROVE_RIGHT);
    for (unsigned bit = 1; bit <= ASSUME_LAST; bit <<= 1) {
        if (p->assumptions & bit) {
            buf_printf(out, "assumes %.*s\n", STR_ARG(assume_word(bit)));
        }
    }
    if (p->is_permuted) {
        buf_add(out, S("columns:"));
        for (ptrdiff_t i = 0; i < p->n_columns; i++) {
            buf_printf(out, " %d", (int)p->columns[i] + 1);
        }
        buf_char(out, '\n');
    }
}

// The solver of `solver: z3`, new; NULL: none is asked for.
static solver *open_solver(test_case *c)
{
    arena *a = case_arena(c);
    if (!str_equal(case_key(c, "solver"), S("z3"))) {
        return NULL;
    }
    solver *s = solver_new(a, solver_default_limits());
    diag d = diag_new(a);
    if (!solver_load(s, &d)) {
        case_skip(c, d.messages.ptr[0].text);
    }
    return s;
}

static void run_proof(test_case *c)
{
    arena *a = case_arena(c);
    diag d = diag_new(a);
    schema s = {0};
    dialect from = DIALECT_SQLITE;
    prove_options options = {
        .keeps_columns = str_equal(case_key(c, "columns"), S("same")),
        .rounds = str_equal(case_key(c, "rounds"), S("yes")),
        .without = case_key(c, "without"),
    };
    str word = case_key(c, "dialect");
    if (word.len > 0 && !dialect_from_word(word, &from)) {
        case_broken(c, "no dialect '%.*s'", STR_ARG(word));
        return;
    }
    word = case_key(c, "elsewhere");
    if (word.len > 0 && !dialect_from_word(word, &options.elsewhere)) {
        case_broken(c, "no dialect '%.*s'", STR_ARG(word));
        return;
    }
    if (!read_assumptions(c, &options.assume)) {
        return;
    }
    if (!schema_from_ddl(&s, a, S("ddl"), case_section(c, "ddl"), from,
                         DIALECT_SQLITE, &d, case_scratch(c))) {
        case_broken(c, "%.*s", STR_ARG(d.messages.ptr[0].text));
        return;
    }
    binding *left = bind_section(c, "left", &s, from);
    binding *right = left ? bind_section(c, "right", &s, from) : NULL;
    if (!right) {
        return;
    }
    proof p = prove_pair(a, left, right, &options, case_scratch(c));
    options.solver = open_solver(c);
    if (options.solver) {
        if (p.is_proved) {
            case_broken(c, "the rules prove it");
        }
        p = prove_pair(a, left, right, &options, case_scratch(c));
        solver_close(options.solver);
    }
    buf out = buf_new(a);
    add_proof(&out, &p);
    if (str_equal(case_key(c, "forms"), S("yes"))) {
        buf_printf(&out, "%.*s\n%.*s\n", STR_ARG(p.forms[0]),
                   STR_ARG(p.forms[1]));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_proof = {
    .name = "proof",
    .sections = "ddl left right",
    .keys = "assume columns rounds without forms dialect elsewhere solver",
    .run = run_proof,
};
