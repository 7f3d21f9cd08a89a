import CCurl
import CCurlShim
import Domain
import Glibc

enum CurlLibrary {
  /// libcurl is made ready once, before its first use.
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

/// How long an exchange with a server may take.
public struct TransferLimits: Equatable, Sendable {
  /// Until there is a connection, encrypted where it is to be.
  public var connect: Duration
  /// For the whole exchange.
  public var total: Duration

  public init(connect: Duration = .seconds(5), total: Duration = .seconds(30)) {
    self.connect = connect
    self.total = total
  }
}

/// Sets the options of a libcurl handle, and keeps the first error.
struct CurlOptions {
  let handle: UnsafeMutableRawPointer
  private(set) var result = CURLE_OK

  init(handle: UnsafeMutableRawPointer) { self.handle = handle }

  mutating func check(_ code: CURLcode) { if result == CURLE_OK { result = code } }

  mutating func set(_ option: CURLoption, _ value: Int) {
    check(curl_shim_set_long(handle, option, value))
  }

  mutating func set(_ option: CURLoption, _ value: String) {
    check(curl_shim_set_string(handle, option, value))
  }

  mutating func set(_ option: CURLoption, _ value: UnsafeMutablePointer<curl_slist>?) {
    check(curl_shim_set_list(handle, option, value))
  }

  mutating func set(url: OpaquePointer) { check(curl_shim_set_url(handle, url)) }

  /// What holds for every exchange: the protocols that are spoken and no other, no proxy from the
  /// environment, no signals, TLS 1.2 or later with a certificate that is verified.
  mutating func setCommon(
    protocols: String, certificateAuthority: String?, limits: TransferLimits
  ) {
    set(CURLOPT_PROTOCOLS_STR, protocols)
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
    set(CURLOPT_TIMEOUT_MS, limits.total.milliseconds)
    set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2, and later ones
    if let path = certificateAuthority { set(CURLOPT_CAINFO, path) }
    check(curl_shim_set_socket_opener(handle, { _, _, address in address!.pointee.open() }, nil))
  }
}

extension curl_sockaddr {
  /// A socket that programs started in the meantime don't inherit.
  func open() -> curl_socket_t {
    socket(family, socktype | Int32(SOCK_CLOEXEC.rawValue), self.protocol)
  }
}

extension Duration {
  /// Whole milliseconds, at least 1: libcurl takes 0 for its own default.
  var milliseconds: Int {
    max(1, Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
  }
}
