import CPostgreSQL

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

extension ConnectionString {
  /// Returns the string as a section of a connection service file, which keeps a password out of the
  /// list of processes.
  /// - Returns: `nil` if the string can't be read.
  package func serviceFile(_ name: String) -> String? {
    var message: UnsafeMutablePointer<CChar>?
    defer { PQfreemem(message) }
    guard let options = PQconninfoParse(text, &message) else { return nil }
    defer { PQconninfoFree(options) }
    // The standards of ``Wire``.
    var settings = ["target_session_attrs": "read-write", "sslmode": "verify-full"]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        settings[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    guard !settings.values.contains(where: { $0.contains(where: \.isNewline) }) else { return nil }
    return "[\(name)]\n"
      + settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
  }
}
