/// When the clocks of a time zone change, from the machine's zone data (SCH-3).
///
/// FoundationEssentials has no zone data on Linux, Foundation's comes with 40 MB of ICU, and the C
/// library knows one zone per process; so a file is read as RFC 9636 describes it.
public struct ZoneRules: Equatable, Sendable {
  /// A change of the clocks.
  struct Change: Equatable, Sendable {
    /// Seconds since 1970.
    var at: Int
    /// How far local time is ahead of UTC from then on, in seconds.
    var offset: Int
  }

  /// The changes that a file lists, by time.
  private let changes: [Change]
  /// The offset before the first of them.
  private let firstOffset: Int
  /// The rule for all later times; `nil` if the last offset stays.
  private let rule: ZoneRule?
  /// The rule as POSIX writes it in `TZ`, by which times can be found without zone data.
  public let ruleText: String

  /// Reads rules as POSIX writes them: `CET-1CEST,M3.5.0,M10.5.0/3`.
  public init?(posix text: String) {
    guard let rule = ZoneRule(parsing: text) else { return nil }
    (changes, firstOffset, self.rule, ruleText) = ([], rule.offset, rule, text)
  }

  /// Reads a file of zone data in the format TZif, of any version.
  public init?(tzif bytes: [UInt8]) {
    var reader = TZifReader(bytes)
    guard let first = reader.readBlock(timeSize: 4) else { return nil }
    guard first.version > 0 else {
      (changes, firstOffset) = (first.changes, first.firstOffset)
      (rule, ruleText) = (nil, ZoneRule.text(offset: changes.last?.offset ?? firstOffset))
      return
    }
    guard let second = reader.readBlock(timeSize: 8), let footer = reader.readFooter() else {
      return nil
    }
    (changes, firstOffset) = (second.changes, second.firstOffset)
    let fixed = ZoneRule.text(offset: changes.last?.offset ?? firstOffset)
    guard let rule = ZoneRule(parsing: footer.isEmpty ? fixed : footer) else { return nil }
    (self.rule, ruleText) = (rule, footer.isEmpty ? fixed : footer)
  }

  /// Returns how far local time is ahead of UTC.
  /// - Parameter instant: Seconds since 1970.
  public func offset(at instant: Int) -> Int {
    if let last = changes.last, instant < last.at {
      let next = firstChange(after: instant)
      return next == 0 ? firstOffset : changes[next - 1].offset
    }
    if let rule { return rule.offset(at: instant) }
    return changes.last?.offset ?? firstOffset
  }

  /// Returns the instant at which local clocks show a time: the first if they show it twice, the
  /// first instant after it if they skip it (SCH-3).
  /// - Parameter local: The time that the clocks show, as the seconds since they showed 1970.
  public func instant(ofLocal local: Int) -> Int {
    // No zone is further from UTC, or has ever skipped more.
    let reach = 2 * 86_400
    var (start, offset) = (local - reach, self.offset(at: local - reach))
    for change in changes(from: start, to: local + reach) {
      let instant = local - offset
      if instant >= start, instant < change.at { return instant }
      if local < change.at + change.offset, local >= change.at + offset { return change.at }
      (start, offset) = (change.at, change.offset)
    }
    return max(start, local - offset)
  }

  /// Returns the changes after `start` up to `end`, by time.
  private func changes(from start: Int, to end: Int) -> [Change] {
    var found = Array(changes[firstChange(after: start)...].prefix { $0.at <= end })
    guard let rule, changes.last.map({ $0.at < end }) ?? true else { return found }
    let lastListed = changes.last?.at ?? .min
    found += rule.changes(from: max(start, lastListed), to: end)
    return found
  }

  /// Returns the index of the first listed change after an instant.
  private func firstChange(after instant: Int) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Reads a file in the format of RFC 9636.
private struct TZifReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  struct Block {
    var version: UInt8
    var changes: [ZoneRules.Change]
    var firstOffset: Int
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func number(_ size: Int) -> Int? {
    guard let bytes = take(size), let first = bytes.first else { return nil }
    return bytes.dropFirst().reduce(Int(Int8(bitPattern: first))) { $0 << 8 | Int($1) }
  }

  /// - Parameter timeSize: The bytes of a time: 4 in the first block, 8 in the second.
  mutating func readBlock(timeSize: Int) -> Block? {
    guard take(4).map(Array.init) == Array("TZif".utf8), let version = take(1)?.first,
      take(15) != nil, let utcFlags = number(4), let standardFlags = number(4),
      let leapCount = number(4), let timeCount = number(4), let typeCount = number(4),
      let nameBytes = number(4)
    else { return nil }
    // More than any zone has, and nothing overflows.
    guard
      [utcFlags, standardFlags, leapCount, timeCount, nameBytes].allSatisfy((0...100_000).contains),
      (1...256).contains(typeCount)
    else { return nil }
    var times: [Int] = []
    for _ in 0..<timeCount {
      guard let time = number(timeSize) else { return nil }
      times.append(time)
    }
    guard let types = take(timeCount).map(Array.init) else { return nil }
    var offsets: [Int] = []
    for _ in 0..<typeCount {
      guard let offset = number(4), take(2) != nil, abs(offset) < 86_400 * 2 else { return nil }
      offsets.append(offset)
    }
    guard take(nameBytes + leapCount * (timeSize + 4) + standardFlags + utcFlags) != nil,
      types.allSatisfy({ Int($0) < typeCount }), times == times.sorted()
    else { return nil }
    return Block(
      version: version,
      changes: zip(times, types).map { ZoneRules.Change(at: $0, offset: offsets[Int($1)]) },
      firstOffset: offsets[0])
  }

  mutating func readFooter() -> String? {
    guard rest.first == UInt8(ascii: "\n"),
      let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    return String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
  }
}
