// proof_rule.c - see proof_rule.h: one list of three tables.
#include "job/proof_rule.h"

static const proof_rule rules[] = {
#define LOCAL(constant, name, says, when) \
    {S_INIT(name), S_INIT(says), S_INIT(when)},
#include "relation/local.def"
#undef LOCAL
#define ANY    ""
#define SQLITE "; SQLite"
#define RULE(place, calls, engines, function, name, says, when) \
    {S_INIT(name), S_INIT(says), S_INIT(when engines)},
#include "prove/rule.def"
#undef RULE
#undef ANY
#undef SQLITE
#define MATCH(constant, name, says, when) \
    {S_INIT(name), S_INIT(says), S_INIT(when)},
#include "prove/match.def"
#undef MATCH
};

ptrdiff_t proof_rules(const proof_rule **out)
{
    *out = rules;
    return countof(rules);
}
