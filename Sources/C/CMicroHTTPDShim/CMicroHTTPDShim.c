#include "CMicroHTTPDShim.h"

#include <gnutls/x509.h>
#include <netdb.h>
#include <string.h>

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

// libmicrohttpd, which uses GnuTLS, too, starts with a key of Ed25519 that isn't the certificate's.
int mhd_shim_fits(const char *certificate, const char *key) {
  gnutls_datum_t certificate_text = {(unsigned char *)certificate, strlen(certificate)};
  gnutls_datum_t key_text = {(unsigned char *)key, strlen(key)};
  gnutls_x509_crt_t read_certificate = NULL;
  gnutls_x509_privkey_t read_key = NULL;
  unsigned char ids[2][64];
  size_t sizes[2] = {sizeof ids[0], sizeof ids[1]};
  int fits =
      gnutls_x509_crt_init(&read_certificate) == 0 && gnutls_x509_privkey_init(&read_key) == 0 &&
      gnutls_x509_crt_import(read_certificate, &certificate_text, GNUTLS_X509_FMT_PEM) == 0 &&
      gnutls_x509_privkey_import2(read_key, &key_text, GNUTLS_X509_FMT_PEM, NULL, 0) == 0 &&
      gnutls_x509_crt_get_key_id(read_certificate, GNUTLS_KEYID_USE_SHA256, ids[0], &sizes[0]) == 0 &&
      gnutls_x509_privkey_get_key_id(read_key, GNUTLS_KEYID_USE_SHA256, ids[1], &sizes[1]) == 0 &&
      sizes[0] == sizes[1] && memcmp(ids[0], ids[1], sizes[0]) == 0;
  if (read_certificate) gnutls_x509_crt_deinit(read_certificate);
  if (read_key) gnutls_x509_privkey_deinit(read_key);
  return fits;
}
