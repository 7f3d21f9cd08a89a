#include "CCurlShim.h"

CURLcode curl_shim_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode curl_shim_set_url(CURL *handle, CURLU *value) {
  return curl_easy_setopt(handle, CURLOPT_CURLU, value);
}

CURLcode curl_shim_set_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, function);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

CURLcode curl_shim_set_writer(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

CURLcode curl_shim_set_header_reader(
    CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, function);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

CURLcode curl_shim_set_socket_opener(
    CURL *handle, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *),
    void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

CURLcode curl_shim_set_observer(
    CURL *handle, int (*function)(CURL *, curl_infotype, char *, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, function);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_DEBUGDATA, context);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
}

CURLcode curl_shim_set_progress(
    CURL *handle,
    int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

