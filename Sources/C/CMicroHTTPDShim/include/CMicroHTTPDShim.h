// Functions that start and query a server, since Swift can't call variadic C functions.

#ifndef LIFESIGNAL_CMICROHTTPDSHIM_H
#define LIFESIGNAL_CMICROHTTPDSHIM_H

#include <microhttpd.h>

/// Starts a server in a separate thread; returns NULL if it can't listen. `accepts` is called for
/// each connection. With a certificate and key, both as PEM and copied, the server uses TLS.
struct MHD_Daemon *mhd_shim_start(
    const struct sockaddr *address, MHD_AcceptPolicyCallback accepts,
    MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback changed, void *context,
    unsigned connection_limit, unsigned timeout_seconds, size_t memory_limit,
    const char *certificate, const char *key, unsigned shares_port);

/// Returns the socket of a connection, or -1.
int mhd_shim_socket(struct MHD_Connection *connection);

/// Returns the port on which the server listens, in host byte order, or 0.
uint16_t mhd_shim_port(struct MHD_Daemon *daemon);

/// Writes an address without its port; returns 0 on failure.
int mhd_shim_name(const struct sockaddr *address, char *text, unsigned size);

/// Writes the address of the client without its port; returns 0 if it isn't known.
int mhd_shim_peer(struct MHD_Connection *connection, char *text, unsigned size);

/// Returns whether a key belongs to a certificate, both as PEM; 0 also if either can't be read. Of
/// a chain, the first certificate counts.
int mhd_shim_fits(const char *certificate, const char *key);

#endif
