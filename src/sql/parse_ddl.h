// parse_ddl.h - what the files of the parser of CREATE share; for them alone.
#ifndef ASSAY_SQL_PARSE_DDL_H
#define ASSAY_SQL_PARSE_DDL_H

#include "sql/parse_internal.h"

bool ddl_name_follows(const parser *p);
bool ddl_is_after(const parser *p, const char *word);
ast *ddl_names(parser *p);                       // ( name, ... )
void ddl_take_path(parser *p, ast *n, int kid);  // gives `n` its name
ast *ddl_sorts(parser *p);                       // ( column [DESC], ... )

// Words to the end of the item, `least` of them whatever they are, up to where
// something else begins; NULL: none.
typedef bool ddl_end(const parser *p);
ast *ddl_words(parser *p, int least, ddl_end *ends);
bool ddl_is_unenforced(const parser *p);  // NOT VALID, NOCHECK, ...

void ddl_skip_item(parser *p);  // to its `,` or `)`

bool ddl_constraint_follows(const parser *p);
ast *ddl_item(parser *p);        // a column or a constraint of a table
ast *ddl_alteration(parser *p);  // what it adds; NULL: nothing

#endif  // ASSAY_SQL_PARSE_DDL_H
