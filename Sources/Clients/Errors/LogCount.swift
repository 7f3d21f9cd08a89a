public import FoundationEssentials

/// How often an error is in the log; counted on this machine and sent nowhere.
public struct LogCount: Identifiable, Codable, Equatable, Sendable {
  /// The error's stable identifier.
  public var code: String
  public var level: LogLevel
  public var count: Int
  public var last: Date
  public var id: String { code }

  public init(code: String, level: LogLevel, count: Int, last: Date) {
    self.code = code
    self.level = level
    self.count = count
    self.last = last
  }
}

extension [LogEntry] {
  /// The errors, most frequent first; among equally frequent ones, the latest first.
  public var counts: [LogCount] {
    var counts: [String: LogCount] = [:]
    for entry in self {
      counts[
        entry.code,
        default: LogCount(code: entry.code, level: entry.level, count: 0, last: entry.timestamp)
      ].add(entry)
    }
    return counts.values.sorted { ($0.count, $0.last, $1.code) > ($1.count, $1.last, $0.code) }
  }
}

extension LogCount {
  fileprivate mutating func add(_ entry: LogEntry) {
    count += 1
    last = Swift.max(last, entry.timestamp)
    level = Swift.max(level, entry.level)
  }
}
