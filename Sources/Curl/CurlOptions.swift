package import CCurlShim
import FoundationEssentials
import Glibc

package enum CurlLibrary {
  /// Why nothing can be sent while libcurl can't be loaded.
  package static let complaint =
    "libcurl can't be loaded, so nothing is sent by mail or over the web: install libcurl4."
    + " It is tried again all the time; lifesignal doctor shows the result"

  /// Whether libcurl is available. The first use loads it, which takes some milliseconds that the
  /// main thread doesn't have. After a failure each use tries again.
  package static var isReady: Bool { curl_shim_load() }
}

/// Sets the options of a libcurl handle, and keeps the first error.
package struct CurlOptions {
  package let handle: UnsafeMutableRawPointer
  package private(set) var result = CURLE_OK

  package init(handle: UnsafeMutableRawPointer) { self.handle = handle }

  package mutating func check(_ code: CURLcode) { if result == CURLE_OK { result = code } }

  package mutating func set(_ option: CURLoption, _ value: Int) {
    check(curl_shim_set_long(handle, option, value))
  }

  package mutating func set(_ option: CURLoption, _ value: String) {
    check(curl_shim_set_string(handle, option, value))
  }

  package mutating func set(_ option: CURLoption, _ value: UnsafeMutablePointer<curl_slist>?) {
    check(curl_shim_set_list(handle, option, value))
  }

  package mutating func set(url: OpaquePointer) { check(curl_shim_set_url(handle, url)) }

  /// Accepts only a server whose public key has a fingerprint.
  ///
  /// - Parameter fingerprint: The SHA-256 hash of the key, in hexadecimal digits.
  package mutating func pin(_ fingerprint: String) {
    let digits: [Int] = fingerprint.compactMap(\.hexDigitValue)
    var bytes = Data()
    for start in stride(from: 0, to: digits.count - 1, by: 2) {
      let byte: Int = digits[start] << 4 | digits[start + 1]
      bytes.append(UInt8(byte))
    }
    set(CURLOPT_PINNEDPUBLICKEY, "sha256//" + bytes.base64EncodedString())
  }

  /// Sets the options of every exchange: only the given protocols, no proxy from the environment,
  /// no signals, and TLS 1.2 or later with a verified certificate.
  package mutating func setCommon(
    protocols: String, certificateAuthority: String?, connect: Duration, total: Duration
  ) {
    set(CURLOPT_PROTOCOLS_STR, protocols)
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, connect.milliseconds)
    set(CURLOPT_TIMEOUT_MS, total.milliseconds)
    set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2, and later ones
    if let path = certificateAuthority { set(CURLOPT_CAINFO, path) }
    check(curl_shim_set_socket_opener(handle, { _, _, address in address!.pointee.open() }, nil))
  }
}

extension curl_sockaddr {
  /// Opens a socket that programs started in the meantime don't inherit.
  package func open() -> curl_socket_t {
    socket(family, socktype | Int32(SOCK_CLOEXEC.rawValue), self.protocol)
  }
}

extension Duration {
  /// The whole milliseconds, at least 1: libcurl takes 0 for its default.
  package var milliseconds: Int {
    max(1, Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
  }
}
