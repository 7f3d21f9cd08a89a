public import Domain
public import FoundationEssentials

/// What is said to a server to open an account.
public struct ServerRegistration: Equatable, Sendable {
  public var name: String
  public var credentials: Credentials

  public init(name: String, credentials: Credentials) {
    self.name = name
    self.credentials = credentials
  }
}

/// An account as its server knows it.
public struct UserData: Equatable, Sendable {
  public var id: String
  public var name: String
  public var email: String

  public init(id: String, name: String, email: String) {
    self.id = id
    self.name = name
    self.email = email
  }
}

/// What signing in gives.
public struct LoginResponse: Equatable, Sendable {
  /// The session's token.
  public var session: Secret<String>
  public var user: UserData

  public init(session: Secret<String>, user: UserData) {
    self.session = session
    self.user = user
  }
}

/// A device that a server can reach.
public struct RegisteredDevice: Equatable, Sendable {
  public var id: String
  public init(id: String) { self.id = id }
}

/// A file that a server keeps.
public struct ServerFile: Equatable, Sendable {
  public var id: String
  public var name: String
  /// A media type, such as `image/png`.
  public var contentType: String
  /// In bytes.
  public var size: Int

  public init(id: String, name: String, contentType: String, size: Int) {
    self.id = id
    self.name = name
    self.contentType = contentType
    self.size = size
  }
}

/// A file to be kept.
public struct NewServerFile: Equatable, Sendable {
  public var name: String
  /// A media type, such as `image/png`.
  public var contentType: String
  public var data: Data

  public init(name: String, contentType: String, data: Data) {
    self.name = name
    self.contentType = contentType
    self.data = data
  }
}
