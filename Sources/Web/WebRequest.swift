/// A request, wholly received.
public struct WebRequest: Equatable, Sendable {
  public enum Method: Equatable, Sendable {
    /// To look; HEAD as well.
    case get
    /// To act.
    case post
  }

  public var method: Method
  /// Decoded, without a query.
  public var path: String
  /// Who sends it, as far as an address tells (``ClientAddress``).
  public var client: String
  public var body: [UInt8]

  public init(_ method: Method, _ path: String, client: String = "", body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.client = client
    self.body = body
  }
}

/// What a request is answered with: a page, or another place to look.
public struct WebResponse: Equatable, Sendable {
  public var status: Int
  public var html: String
  /// Headers besides those that every answer has.
  public var headers: [String: String]

  public init(status: Int = 200, html: String, headers: [String: String] = [:]) {
    self.status = status
    self.html = html
    self.headers = headers
  }

  /// After an action: the browser gets a page, so that going back and reloading repeat nothing.
  /// - Parameter place: relative to the request's path, so that a proxy may serve it below another one.
  public static func seeOther(_ place: String) -> Self {
    Self(status: 303, html: "", headers: ["Location": place])
  }
}
