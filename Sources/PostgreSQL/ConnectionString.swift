/// The address of a database and its user: a connection string or URL of libpq.
///
/// It may contain a password, so its description never shows it.
public struct ConnectionString: Sendable, CustomStringConvertible, CustomReflectable {
  let text: String

  /// The text to write to a file.
  package var fileText: String { text }

  /// - Parameter text: The contents of a file, which may have space around the string.
  public init(_ text: String) {
    let front = text.drop { $0.isWhitespace }
    self.text = String(front.lastIndex { !$0.isWhitespace }.map { front[...$0] } ?? "")
  }

  public var description: String { "a connection string" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
