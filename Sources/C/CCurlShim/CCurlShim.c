#include "CCurlShim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The functions of libcurl that are used; set once, by `load`.
static struct {
  CURLcode (*global_init)(long);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  CURLcode (*easy_perform)(CURL *);
  const char *(*easy_strerror)(CURLcode);
  void (*easy_reset)(CURL *);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLU *(*url)(void);
  CURLUcode (*url_set)(CURLU *, CURLUPart, const char *, unsigned int);
  CURLUcode (*url_get)(CURLU *, CURLUPart, char **, unsigned int);
  void (*url_cleanup)(CURLU *);
  void (*free)(void *);
} curl;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The library stays loaded until the process ends.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  struct {
    const char *name;
    void *place;
  } symbols[] = {
      {"curl_global_init", &curl.global_init},
      {"curl_easy_setopt", &curl.easy_setopt},
      {"curl_easy_init", &curl.easy_init},
      {"curl_easy_cleanup", &curl.easy_cleanup},
      {"curl_easy_perform", &curl.easy_perform},
      {"curl_easy_strerror", &curl.easy_strerror},
      {"curl_easy_reset", &curl.easy_reset},
      {"curl_easy_getinfo", &curl.easy_getinfo},
      {"curl_slist_append", &curl.slist_append},
      {"curl_slist_free_all", &curl.slist_free_all},
      {"curl_url", &curl.url},
      {"curl_url_set", &curl.url_set},
      {"curl_url_get", &curl.url_get},
      {"curl_url_cleanup", &curl.url_cleanup},
      {"curl_free", &curl.free},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    void *symbol = dlsym(library, symbols[index].name);
    if (symbol == NULL) return;
    *(void **)symbols[index].place = symbol;
  }
  is_loaded = curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool curl_shim_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

CURL *curl_shim_easy_init(void) { return curl.easy_init(); }
void curl_shim_easy_cleanup(CURL *handle) { curl.easy_cleanup(handle); }
CURLcode curl_shim_easy_perform(CURL *handle) { return curl.easy_perform(handle); }
const char *curl_shim_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }
void curl_shim_easy_reset(CURL *handle) { curl.easy_reset(handle); }
struct curl_slist *curl_shim_slist_append(struct curl_slist *list, const char *text) { return curl.slist_append(list, text); }
void curl_shim_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }
CURLU *curl_shim_url(void) { return curl.url(); }
CURLUcode curl_shim_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) { return curl.url_set(url, part, text, flags); }
CURLUcode curl_shim_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) { return curl.url_get(url, part, text, flags); }
void curl_shim_url_cleanup(CURLU *url) { curl.url_cleanup(url); }
void curl_shim_free(void *pointer) { curl.free(pointer); }

const char *curl_shim_certificate(CURL *handle) {
  struct curl_certinfo *chain = NULL;
  if (curl.easy_getinfo(handle, CURLINFO_CERTINFO, &chain) != CURLE_OK) return NULL;
  if (chain == NULL || chain->num_of_certs < 1) return NULL;
  for (struct curl_slist *entry = chain->certinfo[0]; entry != NULL; entry = entry->next) {
    if (strncmp(entry->data, "Cert:", 5) == 0) return entry->data + 5;
  }
  return NULL;
}

bool curl_shim_has_sent(CURL *handle) {
  long bytes = 0;
  return curl.easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &bytes) != CURLE_OK || bytes > 0;
}

CURLcode curl_shim_set_long(CURL *handle, CURLoption option, long value) {
  return curl.easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl.easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl.easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl.easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_url(CURL *handle, CURLU *value) {
  return curl.easy_setopt(handle, CURLOPT_CURLU, value);
}

CURLcode curl_shim_set_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_READFUNCTION, function);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_READDATA, context);
}

CURLcode curl_shim_set_writer(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

CURLcode curl_shim_set_header_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, function);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

CURLcode curl_shim_set_socket_opener(
    CURL *handle, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *),
    void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

CURLcode curl_shim_set_observer(
    CURL *handle, int (*function)(CURL *, curl_infotype, char *, size_t, void *), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_DEBUGFUNCTION, function);
  if (code == CURLE_OK) code = curl.easy_setopt(handle, CURLOPT_DEBUGDATA, context);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_VERBOSE, 1L);
}

CURLcode curl_shim_set_progress(
    CURL *handle,
    int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
  if (code == CURLE_OK) code = curl.easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

