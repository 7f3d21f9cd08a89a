/// The loop's log: identifiers, stages and outcomes, never a name, an address or a note.
public struct MonitorLog: Sendable {
  public enum Level: String, Sendable {
    case info, warning, error
  }

  public var write: @Sendable (Level, _ what: String) -> Void

  public init(write: @escaping @Sendable (Level, String) -> Void) { self.write = write }

  /// A log that discards everything.
  public static let silent = MonitorLog { _, _ in }

  package func info(_ what: String) { write(.info, what) }
  package func warning(_ what: String) { write(.warning, what) }
  package func error(_ what: String) { write(.error, what) }
}
