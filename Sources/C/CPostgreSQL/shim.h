#include <libpq-fe.h>

/// The fields of an error. libpq has them as macros of characters, which Swift does not see.
enum { lifesignal_pg_sqlstate = PG_DIAG_SQLSTATE, lifesignal_pg_message = PG_DIAG_MESSAGE_PRIMARY };
