#include "CCurlShim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The functions of libcurl that are used; set by `load`, before `is_loaded`.
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
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_add_handle)(CURLM *, CURL *);
  CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
  CURLMcode (*multi_perform)(CURLM *, int *);
  CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd[], unsigned int, int, int *);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
  CURLMcode (*multi_cleanup)(CURLM *);
} curl;

// All under the mutex: code that sees `is_loaded` sees the functions, too.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;
static char library_name[256] = "libcurl.so.4";

static bool load(void) {
  // Once loaded, the library stays until the process ends.
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return false;
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
      {"curl_multi_init", &curl.multi_init},
      {"curl_multi_add_handle", &curl.multi_add_handle},
      {"curl_multi_remove_handle", &curl.multi_remove_handle},
      {"curl_multi_perform", &curl.multi_perform},
      {"curl_multi_poll", &curl.multi_poll},
      {"curl_multi_info_read", &curl.multi_info_read},
      {"curl_multi_cleanup", &curl.multi_cleanup},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    void *symbol = dlsym(library, symbols[index].name);
    if (symbol == NULL) {
      dlclose(library);
      return false;
    }
    *(void **)symbols[index].place = symbol;
  }
  return curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool curl_shim_load(void) {
  pthread_mutex_lock(&mutex);
  // Memory or a disk that failed once may be back: a failure isn't remembered.
  if (!is_loaded) is_loaded = load();
  bool result = is_loaded;
  pthread_mutex_unlock(&mutex);
  return result;
}

void curl_shim_set_library(const char *name) {
  pthread_mutex_lock(&mutex);
  snprintf(library_name, sizeof library_name, "%s", name);
  pthread_mutex_unlock(&mutex);
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

CURLM *curl_shim_multi_init(void) { return curl.multi_init(); }
CURLMcode curl_shim_multi_add_handle(CURLM *multi, CURL *handle) { return curl.multi_add_handle(multi, handle); }
CURLMcode curl_shim_multi_remove_handle(CURLM *multi, CURL *handle) { return curl.multi_remove_handle(multi, handle); }
CURLMcode curl_shim_multi_perform(CURLM *multi) {
  int running = 0;
  return curl.multi_perform(multi, &running);
}
CURLMcode curl_shim_multi_poll(CURLM *multi, int milliseconds) { return curl.multi_poll(multi, NULL, 0, milliseconds, NULL); }
void curl_shim_multi_cleanup(CURLM *multi) { curl.multi_cleanup(multi); }

CURL *curl_shim_multi_finished(CURLM *multi, CURLcode *result) {
  int left = 0;
  for (CURLMsg *message; (message = curl.multi_info_read(multi, &left)) != NULL;) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

bool curl_shim_is_connected(CURL *handle) {
  curl_off_t microseconds = 0;
  return curl.easy_getinfo(handle, CURLINFO_CONNECT_TIME_T, &microseconds) == CURLE_OK && microseconds > 0;
}

const char *curl_shim_certificate(CURL *handle) {
  struct curl_certinfo *chain = NULL;
  if (curl.easy_getinfo(handle, CURLINFO_CERTINFO, &chain) != CURLE_OK) return NULL;
  if (chain == NULL || chain->num_of_certs < 1) return NULL;
  for (struct curl_slist *entry = chain->certinfo[0]; entry != NULL; entry = entry->next) {
    if (strncmp(entry->data, "Cert:", 5) == 0) return entry->data + 5;
  }
  return NULL;
}

long curl_shim_verify_result(CURL *handle) {
  long result = 0;
  return curl.easy_getinfo(handle, CURLINFO_SSL_VERIFYRESULT, &result) == CURLE_OK ? result : 0;
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

CURLcode curl_shim_set_socket_closer(
    CURL *handle, int (*function)(void *, curl_socket_t), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, function);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, context);
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
