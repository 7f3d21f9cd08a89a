/// Where a database is and who connects: a connection string or URL of libpq.
///
/// It may hold a password, so that it is never described.
public struct ConnectionString: Sendable, CustomStringConvertible, CustomReflectable {
  let text: String

  /// What a file with it holds.
  package var fileText: String { text }

  /// - Parameter text: As a file has it, with space around it.
  public init(_ text: String) {
    let front = text.drop { $0.isWhitespace }
    self.text = String(front.lastIndex { !$0.isWhitespace }.map { front[...$0] } ?? "")
  }

  public var description: String { "a connection string" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
