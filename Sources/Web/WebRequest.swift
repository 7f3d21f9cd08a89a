public import FoundationEssentials

/// A request, wholly received.
public struct WebRequest: Equatable, Sendable {
  public enum Method: Equatable, Sendable {
    /// To look; HEAD as well.
    case get
    /// To act.
    case post
    /// What programs ask; a browser never does.
    case put, patch, delete
  }

  public var method: Method
  /// Decoded, without a query.
  public var path: String
  /// Who sends it, as far as an address tells (``ClientAddress``).
  public var client: String
  /// Whether it came over HTTPS, as far as we or our proxy can tell.
  public var isEncrypted: Bool
  public var body: [UInt8]
  /// What follows the path, decoded.
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
  /// A field of a form; `nil` where there is none, or one that isn't text.
  func field(_ name: String) -> String? {
    for pair in body.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, Self.text(parts[0]) == name else { continue }
      return Self.text(parts[1])
    }
    return nil
  }

  /// What a browser's form writes as `caf%C3%A9+5`.
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

/// What a request is answered with: a page, another place to look, or data for a program.
public struct WebResponse: Equatable, Sendable {
  public var status: Int
  public var html: String
  /// Instead of a page; its type is among the headers.
  public var data: Data?
  /// Headers besides those that every answer has.
  public var headers: [String: String]

  public init(status: Int = 200, html: String, headers: [String: String] = [:]) {
    self.status = status
    self.html = html
    self.headers = headers
  }

  /// Data for a program.
  public init(status: Int, data: Data, type: String, headers: [String: String] = [:]) {
    self.init(status: status, html: "", headers: headers)
    self.data = data
    self.headers["Content-Type"] = type
  }

  /// After an action: the browser gets a page, so that going back and reloading repeat nothing.
  /// - Parameter place: relative to the request's path, so that a proxy may serve it below another one.
  public static func seeOther(_ place: String) -> Self {
    Self(status: 303, html: "", headers: ["Location": place])
  }
}
