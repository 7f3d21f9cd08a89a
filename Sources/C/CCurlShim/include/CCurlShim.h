// libcurl, loaded on first use instead of being linked, so that a program that never needs it
// starts without it. Since Swift can't call variadic C functions, each function that sets options
// takes one type of value.

#ifndef LIFESIGNAL_CCURLSHIM_H
#define LIFESIGNAL_CCURLSHIM_H

#include <curl/curl.h>
#include <stdbool.h>

/// Loads and initializes libcurl unless it is loaded already; can be called from any thread. Returns
/// whether libcurl is available. After a failure the next call tries again. No other function here
/// may be called before this one has returned true, except curl_shim_set_library.
bool curl_shim_load(void);

/// Replaces the name of the library to load, so that a test can hide it. Has no effect once it is
/// loaded.
void curl_shim_set_library(const char *name);

// Equivalents of curl_easy_init and so on.
CURL *curl_shim_easy_init(void);
void curl_shim_easy_cleanup(CURL *handle);
CURLcode curl_shim_easy_perform(CURL *handle);
const char *curl_shim_easy_strerror(CURLcode code);
void curl_shim_easy_reset(CURL *handle);
struct curl_slist *curl_shim_slist_append(struct curl_slist *list, const char *text);
void curl_shim_slist_free_all(struct curl_slist *list);
CURLU *curl_shim_url(void);
CURLUcode curl_shim_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
CURLUcode curl_shim_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
void curl_shim_url_cleanup(CURLU *url);
void curl_shim_free(void *pointer);

// Equivalents of curl_multi_init and so on.
CURLM *curl_shim_multi_init(void);
CURLMcode curl_shim_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode curl_shim_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode curl_shim_multi_perform(CURLM *multi);
CURLMcode curl_shim_multi_poll(CURLM *multi, int milliseconds);
void curl_shim_multi_cleanup(CURLM *multi);

/// Returns a handle whose transfer has ended since the last call, and its result; NULL if there is
/// none left.
CURL *curl_shim_multi_finished(CURLM *multi, CURLcode *result);

/// Whether the transfer that runs on the handle has a TCP connection, though maybe no encryption yet.
bool curl_shim_is_connected(CURL *handle);

/// Returns the server's certificate as PEM if CURLOPT_CERTINFO was set, or NULL if there is none.
/// Valid until the next transfer on the handle, or until the handle is freed.
const char *curl_shim_certificate(CURL *handle);

/// Returns what the TLS library found wrong with the server's certificate, or 0; OpenSSL's numbers.
long curl_shim_verify_result(CURL *handle);

CURLcode curl_shim_set_long(CURL *handle, CURLoption option, long value);
CURLcode curl_shim_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode curl_shim_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode curl_shim_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode curl_shim_set_url(CURL *handle, CURLU *value);

/// Sets CURLOPT_READFUNCTION and CURLOPT_READDATA.
CURLcode curl_shim_set_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context);

/// Sets CURLOPT_WRITEFUNCTION and CURLOPT_WRITEDATA, for the body of the response.
CURLcode curl_shim_set_writer(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context);

/// Sets CURLOPT_HEADERFUNCTION and CURLOPT_HEADERDATA, for the header of the response, line by
/// line.
CURLcode curl_shim_set_header_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context);

/// Sets CURLOPT_OPENSOCKETFUNCTION and CURLOPT_OPENSOCKETDATA. The function is called before each
/// connection, with the address to connect to.
CURLcode curl_shim_set_socket_opener(
    CURL *handle, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *),
    void *context);

/// Sets CURLOPT_CLOSESOCKETFUNCTION and CURLOPT_CLOSESOCKETDATA. The context must live until the
/// connection is closed, which can be later than the transfer.
CURLcode curl_shim_set_socket_closer(
    CURL *handle, int (*function)(void *, curl_socket_t), void *context);

/// Sets CURLOPT_DEBUGFUNCTION and CURLOPT_DEBUGDATA, and enables them with CURLOPT_VERBOSE.
CURLcode curl_shim_set_observer(
    CURL *handle, int (*function)(CURL *, curl_infotype, char *, size_t, void *), void *context);

/// Sets CURLOPT_XFERINFOFUNCTION and CURLOPT_XFERINFODATA, and enables them with
/// CURLOPT_NOPROGRESS.
CURLcode curl_shim_set_progress(
    CURL *handle,
    int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context);

#endif
