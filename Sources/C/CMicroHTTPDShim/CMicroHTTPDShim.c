#include "CMicroHTTPDShim.h"

#include <netdb.h>

struct MHD_Daemon *mhd_shim_start(
    const struct sockaddr *address, MHD_AcceptPolicyCallback accepts,
    MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback changed, void *context,
    unsigned connection_limit, unsigned timeout_seconds, size_t memory_limit,
    const char *certificate, const char *key, unsigned shares_port) {
  unsigned flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
  // Set only on request: the library refuses certificates without TLS, and the option to share the
  // port would otherwise forbid sharing.
  struct MHD_OptionItem options[4];
  int count = 0;
  if (certificate) {
    flags |= MHD_USE_TLS;
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key};
  }
  if (shares_port)
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTENING_ADDRESS_REUSE, 1, NULL};
  options[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
  return MHD_start_daemon(
      flags, 0, accepts, context, handler, context,
      MHD_OPTION_SOCK_ADDR, address,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, changed, context,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_ARRAY, options,
      MHD_OPTION_END);
}

int mhd_shim_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

uint16_t mhd_shim_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

int mhd_shim_peer(struct MHD_Connection *connection, char *text, unsigned size) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  return mhd_shim_name(info->client_addr, text, size);
}

int mhd_shim_name(const struct sockaddr *address, char *text, unsigned size) {
  socklen_t length = address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                    : sizeof(struct sockaddr_in);
  return getnameinfo(address, length, text, size, NULL, 0, NI_NUMERICHOST) == 0;
}
