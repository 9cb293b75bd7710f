/*
 * help_completion.c - a script that completes our command lines in bash.
 *
 * Method      What comes next depends on the command and on the last option
 *             before the cursor: a `key` command/--option, with /more behind it
 *             when the option has a value already. Where nothing is said of a
 *             key bash goes on with file names.
 */
#include "cli/help.h"

static void add_options(buf *b, command c)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, c)) {
            buf_printf(b, "--%.*s ", STR_ARG(opt_spec_at((opt_id)id)->name));
        }
    }
}

// "score/--pred|score/--pred/more|", for each command that takes the option.
static void add_keys(buf *b, opt_id id)
{
    const opt_spec *spec = opt_spec_at(id);
    for (int c = 0; c < COMMAND_COUNT; c++) {
        if (!opt_is_for(id, (command)c)) {
            continue;
        }
        str word = command_word((command)c);
        buf_printf(b, "%.*s/--%.*s|", STR_ARG(word), STR_ARG(spec->name));
        if (spec->flags & OPT_MANY) {
            buf_printf(b, "%.*s/--%.*s/more|", STR_ARG(word),
                       STR_ARG(spec->name));
        }
        if (spec->letter) {
            buf_printf(b, "%.*s/-%c|", STR_ARG(word), spec->letter);
        }
    }
}

// The arm of a case for all options with values of one kind without words.
static void add_plain(page *p, help_value_kind kind, const char *action)
{
    char memory[16384];
    buf *b = &p->text;
    buf_add(b, S("    "));
    for (int id = 0; id < OPT_COUNT; id++) {
        arena a = {.next = memory, .end = memory + sizeof memory};
        if (help_values_of(&a, (opt_id)id).kind == kind) {
            add_keys(b, (opt_id)id);
        }
    }
    buf_printf(b, "-) %s ;;\n", action);
}

// An arm for each option whose words are known.
static void add_worded(page *p)
{
    char memory[16384];
    buf *b = &p->text;
    for (int id = 0; id < OPT_COUNT; id++) {
        arena a = {.next = memory, .end = memory + sizeof memory};
        help_values v = help_values_of(&a, (opt_id)id);
        if (v.words.len > 0) {
            buf_add(b, S("    "));
            add_keys(b, (opt_id)id);
            buf_printf(b, "-) list=%s words='%.*s' ;;\n",
                       v.kind == HELP_VALUE_LIST ? "1" : "", STR_ARG(v.words));
        }
    }
}

static void add_commands(buf *b)
{
    for (int c = 0; c < COMMAND_COUNT; c++) {
        buf_printf(b, "%.*s ", STR_ARG(command_word((command)c)));
    }
}

// What a command takes besides options; without a word it is a file.
static void add_operands(buf *b)
{
    buf_add(b, S("    *) case $command in\n    help) words='"));
    add_commands(b);
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        buf_printf(b, "%.*s ", STR_ARG(help_topic_word((help_topic)t)));
    }
    buf_add(b, S("' ;;\n"));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        if (command_operands((command)c) == 0) {
            buf_printf(b, "    %.*s) words=$options ;;\n",
                       STR_ARG(command_word((command)c)));
        }
    }
    buf_add(b, S("    esac ;;\n"));
}

void help_completion(page *p)
{
    buf *b = &p->text;
    buf_add(
        b, S("_assay() {\n"
             "  local command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]}\n"
             "  local i=$COMP_CWORD j key options='' words='' list=''\n"
             "  COMPREPLY=()\n"
             "  [[ $word == = ]] && word=''\n"
             "  while ((--i > 1)) && [[ ${COMP_WORDS[i]} != -* ]]; do :; done\n"
             "  key=$command/${COMP_WORDS[i]}\n"
             "  for ((j = i + 1; j < COMP_CWORD; j++)); do\n"
             "    [[ ${COMP_WORDS[j]} == = ]] || key=${key%/more}/more\n"
             "  done\n"
             "  case $command in\n"));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        buf_printf(b, "    %.*s) options='", STR_ARG(command_word((command)c)));
        add_options(b, (command)c);
        buf_add(b, S("' ;;\n"));
    }
    buf_add(b, S("  esac\n"
                 "  if ((COMP_CWORD == 1)); then\n"
                 "    words='"));
    add_commands(b);
    buf_add(b, S("--help --version'\n"
                 "  elif [[ $word == -* ]]; then\n"
                 "    words=$options\n"
                 "  else case $key in\n"));
    add_plain(p, HELP_VALUE_FILE, "return");
    add_plain(p, HELP_VALUE_FREE, "compopt +o default 2>/dev/null; return");
    add_worded(p);
    add_operands(b);
    buf_add(b, S("    esac\n"
                 "  fi\n"
                 "  local before=''\n"
                 "  if [[ $list ]]; then\n"
                 "    compopt -o nospace 2>/dev/null\n"
                 "    [[ $word == *,* ]] && before=${word%,*},\n"
                 "  fi\n"
                 "  COMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- "
                 "\"${word#\"$before\"}\"))\n"
                 "}\n"
                 "complete -o default -F _assay assay\n"));
}
