import Clients

// The objects that go between us and a server, named as `docs/server.md` names them.

struct DeviceMessage: Encodable {
  var token: String
}

struct IdentityMessage: Decodable {
  var id: String
}

struct RegistrationMessage: Encodable {
  var name: String
  var email: String
  var password: String
}

struct LoginMessage: Encodable {
  var email: String
  var password: String
}

struct UserMessage: Decodable {
  var id: String
  var name: String
  var email: String

  var user: UserData { UserData(id: id, name: name, email: email) }
}

struct SessionMessage: Decodable {
  var token: String
  var user: UserMessage
}

struct NewFileMessage: Encodable {
  var name: String
  var contentType: String
  /// In base64.
  var data: String

  enum CodingKeys: String, CodingKey {
    case name, data
    case contentType = "content_type"
  }
}

struct FileMessage: Decodable {
  var id: String
  var name: String
  var contentType: String
  var size: Int

  enum CodingKeys: String, CodingKey {
    case id, name, size
    case contentType = "content_type"
  }

  var file: ServerFile { ServerFile(id: id, name: name, contentType: contentType, size: size) }
}

struct FilesMessage: Decodable {
  var files: [FileMessage]
  /// What the next page begins after; `nil` at the end.
  var next: String?
}

struct FaultMessage: Decodable {
  var message: String
  /// What is wrong with which field.
  var fields: [String: String]?

  /// All of it in one printable line.
  var text: String {
    let reasons = (fields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return ([message] + reasons).filter { !$0.isEmpty }.joined(separator: "; ").printableLine
  }
}
