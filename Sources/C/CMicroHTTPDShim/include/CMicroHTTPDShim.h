// Swift cannot call variadic C functions; these start a server and ask what it knows.

#ifndef LIFESIGNAL_CMICROHTTPDSHIM_H
#define LIFESIGNAL_CMICROHTTPDSHIM_H

#include <microhttpd.h>

/// Starts a server with a thread of its own; NULL when it cannot listen. `accepts` is asked for each
/// connection. With a certificate and its key, both in PEM, which are copied, it speaks TLS.
struct MHD_Daemon *mhd_shim_start(
    const struct sockaddr *address, MHD_AcceptPolicyCallback accepts,
    MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback changed, void *context,
    unsigned connection_limit, unsigned timeout_seconds, size_t memory_limit,
    const char *certificate, const char *key, unsigned shares_port);

/// The socket of a connection, or -1.
int mhd_shim_socket(struct MHD_Connection *connection);

/// The port on which it listens, in the machine's byte order, or 0.
uint16_t mhd_shim_port(struct MHD_Daemon *daemon);

/// Writes an address, without its port; 0 where that cannot be.
int mhd_shim_name(const struct sockaddr *address, char *text, unsigned size);

/// Writes the connected address, without its port; 0 where it isn't known.
int mhd_shim_peer(struct MHD_Connection *connection, char *text, unsigned size);

#endif
