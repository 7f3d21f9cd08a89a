import DeliveryTesting
import Testing

/// The mail of a ``World``, received by a real server on this machine.
final class Mail {
  private let server: SMTPServer
  private var read: Set<String> = []
  unowned var world: World!

  init() throws { server = try SMTPServer() }

  deinit { server.close() }

  /// Returns a port on which nothing listens at the moment.
  func freePort() throws -> Int {
    let other = try SMTPServer()
    defer { other.close() }
    return other.port
  }

  var configuration: String {
    """
    {smtp: {host: "127.0.0.1", port: \(server.port), security: "none", from: "ls@example.org"}}
    """
  }

  /// Waits for an unread message and marks it as read.
  func brings(
    _ words: String, to address: String, at place: SourceLocation = #_sourceLocation
  ) throws {
    var message: SMTPServer.Message?
    try world.wait(for: "\(address) waits for “\(words)”", at: place) {
      message = unread.first { $0.recipients == ["<\(address)>"] && $0.text.contains(words) }
      return message != nil
    }
    read.insert(try #require(message).identity)
  }

  /// The recipient and subject of each unread message.
  var rest: [String] {
    unread.map { message in
      let subject = message.text.split(separator: "\n").first { $0.hasPrefix("Subject: ") } ?? ""
      return "\(message.recipients.joined()) \(subject)"
    }
  }

  /// The unread messages. One that arrived twice with the same identifier, as can happen after a
  /// kill, counts once (ESC-3).
  private var unread: [SMTPServer.Message] {
    server.accepted.filter { !read.contains($0.identity) }
  }
}

extension SMTPServer.Message {
  fileprivate var identity: String {
    String(text.split(separator: "\n").first { $0.hasPrefix("Message-ID: ") } ?? "")
  }
}
