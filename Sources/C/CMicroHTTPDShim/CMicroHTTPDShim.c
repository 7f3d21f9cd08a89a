#include "CMicroHTTPDShim.h"

#include <netdb.h>

struct MHD_Daemon *mhd_shim_start(
    const struct sockaddr *address, MHD_AccessHandlerCallback handler, void *context,
    unsigned connection_limit, unsigned timeout_seconds, size_t memory_limit) {
  unsigned flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD;
  if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handler, context,
      MHD_OPTION_SOCK_ADDR, address,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}

uint16_t mhd_shim_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

int mhd_shim_peer(struct MHD_Connection *connection, char *text, unsigned size) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  const struct sockaddr *address = info->client_addr;
  socklen_t length = address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                    : sizeof(struct sockaddr_in);
  return getnameinfo(address, length, text, size, NULL, 0, NI_NUMERICHOST) == 0;
}
