// opt_rule.h - which options go together, by the table opt_rule.def.
#ifndef ASSAY_CLI_OPT_RULE_H
#define ASSAY_CLI_OPT_RULE_H

#include "cli/opt.h"

// What is wrong with the options of a command beside each other; empty:
// nothing.
str opt_rule_broken(arena *a, const opt *o);

#endif  // ASSAY_CLI_OPT_RULE_H
