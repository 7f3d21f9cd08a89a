// libcurl without a link to it: it is loaded when it is first needed, so that a program that never needs it
// starts without. Swift cannot call variadic C functions; those that set options take one type each.

#ifndef LIFESIGNAL_CCURLSHIM_H
#define LIFESIGNAL_CCURLSHIM_H

#include <curl/curl.h>
#include <stdbool.h>

/// Loads libcurl and makes it ready, once; any thread may call it. Nothing else here may be called before it
/// has answered that libcurl is there.
bool curl_shim_load(void);

// As curl_easy_init and so on.
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

/// The certificate that the server showed, as PEM, where CURLOPT_CERTINFO was set; lives as long as the handle
/// and until its next exchange. NULL for none.
const char *curl_shim_certificate(CURL *handle);

/// Whether anything of the last request has left, so that it may have arrived.
bool curl_shim_has_sent(CURL *handle);

CURLcode curl_shim_set_long(CURL *handle, CURLoption option, long value);
CURLcode curl_shim_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode curl_shim_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode curl_shim_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode curl_shim_set_url(CURL *handle, CURLU *value);

/// Sets CURLOPT_READFUNCTION and CURLOPT_READDATA.
CURLcode curl_shim_set_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context);

/// Sets CURLOPT_WRITEFUNCTION and CURLOPT_WRITEDATA: the reply's body.
CURLcode curl_shim_set_writer(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context);

/// Sets CURLOPT_HEADERFUNCTION and CURLOPT_HEADERDATA: the reply's header, line by line.
CURLcode curl_shim_set_header_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context);

/// Sets CURLOPT_OPENSOCKETFUNCTION and CURLOPT_OPENSOCKETDATA: asked before each connection, with the
/// address to which it would lead.
CURLcode curl_shim_set_socket_opener(
    CURL *handle, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *),
    void *context);

/// Sets CURLOPT_DEBUGFUNCTION and CURLOPT_DEBUGDATA, and turns them on by CURLOPT_VERBOSE.
CURLcode curl_shim_set_observer(
    CURL *handle, int (*function)(CURL *, curl_infotype, char *, size_t, void *), void *context);

/// Sets CURLOPT_XFERINFOFUNCTION and CURLOPT_XFERINFODATA, and turns them on.
CURLcode curl_shim_set_progress(
    CURL *handle,
    int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context);

#endif
