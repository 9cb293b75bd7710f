// parse_ddl.h - what the files of the parser of CREATE share; for them alone.
#ifndef ASSAY_SQL_PARSE_DDL_H
#define ASSAY_SQL_PARSE_DDL_H

#include "sql/parse_internal.h"

bool ddl_name_follows(const parser *p);
ast *ddl_names(parser *p);                       // ( name, ... )
void ddl_take_path(parser *p, ast *n, int kid);  // gives `n` its name
ast *ddl_sorts(parser *p);                       // ( column [DESC], ... )
ast *ddl_words(parser *p, const char *stop);     // up to that word
void ddl_skip_item(parser *p);                   // to its `,` or `)`

bool ddl_constraint_follows(const parser *p);
ast *ddl_item(parser *p);        // a column or a constraint of a table
ast *ddl_alteration(parser *p);  // what it adds; NULL: nothing

#endif  // ASSAY_SQL_PARSE_DDL_H
