public import FoundationEssentials

/// A request that was received in full.
public struct WebRequest: Equatable, Sendable {
  public enum Method: Equatable, Sendable {
    /// Reads only; HEAD as well.
    case get
    /// Changes something.
    case post
    /// Sent by programs, never by a browser's page.
    case put, patch, delete
  }

  public var method: Method
  /// The decoded path, without the query.
  public var path: String
  /// The client, as far as its address tells (``ClientAddress``).
  public var client: String
  /// Whether it came over HTTPS, as far as the server or its proxy can tell.
  public var isEncrypted: Bool
  public var body: [UInt8]
  /// The decoded query.
  public var query: [String: String] = [:]
  /// The headers that the server reads (``WebServer/Programs/headers``), by their names.
  public var headers: [String: String] = [:]

  public init(
    _ method: Method, _ path: String, client: String = "", isEncrypted: Bool = false,
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.client = client
    self.isEncrypted = isEncrypted
    self.body = body
  }
}

extension WebRequest {
  /// Returns a field of a form; `nil` if there is none, or it isn't text.
  func field(_ name: String) -> String? {
    for pair in body.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, Self.text(parts[0]) == name else { continue }
      return Self.text(parts[1])
    }
    return nil
  }

  /// Decodes a text from a browser's form, such as `caf%C3%A9+5`.
  private static func text(_ encoded: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = encoded
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The answer to a request: a page, a redirect, or data for a program.
public struct WebResponse: Equatable, Sendable {
  public var status: Int
  public var html: String
  /// Data instead of a page; its type is among the headers.
  public var data: Data?
  /// The headers besides those that every answer has.
  public var headers: [String: String]

  public init(status: Int = 200, html: String, headers: [String: String] = [:]) {
    self.status = status
    self.html = html
    self.headers = headers
  }

  /// Creates an answer with data for a program.
  public init(status: Int, data: Data, type: String, headers: [String: String] = [:]) {
    self.init(status: status, html: "", headers: headers)
    self.data = data
    self.headers["Content-Type"] = type
  }

  /// Returns a redirect after an action: the browser gets a page, so that going back and reloading
  /// repeat nothing.
  /// - Parameter place: Relative to the request's path, so that a proxy can serve it below another
  ///   one.
  public static func seeOther(_ place: String) -> Self {
    Self(status: 303, html: "", headers: ["Location": place])
  }
}
