#include <libpq-fe.h>

/// The codes of error fields, which libpq defines as macros of characters that Swift can't import.
enum { lifesignal_pg_sqlstate = PG_DIAG_SQLSTATE, lifesignal_pg_message = PG_DIAG_MESSAGE_PRIMARY };
