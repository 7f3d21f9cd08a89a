/// How people write set times, and how they are shown.
extension SetTimes {
  /// Reads times as a person types them: `daily 09:00`, `mon-fri 08:30, 18:00`, `sat,sun 11:00`,
  /// `weekdays 7am weekends 10am`. Times without days are daily.
  /// - Throws: ``ValidationError/setTimes(_:)`` or what
  ///   ``init(_:zone:opening:)`` throws.
  public init(
    parsing text: String, zone: String, opening: TimeSpan = standardOpening
  ) throws(ValidationError) {
    guard let times = Self.times(in: text) else { throw .setTimes(text) }
    try self.init(times, zone: zone, opening: opening)
  }

  private static func times(in text: String) -> [Time]? {
    guard text.utf8.count <= 400 else { return nil }
    // Typed with any kind of dash, and with spaces around it.
    let plain = text.lowercased().replacing(#/\s*[-–—‑]\s*|\s+(to|until|through)\s+/#, with: "-")
      .replacing(#/(\d)\s+([ap]\.?m\b\.?)/#) { "\($0.output.1)\($0.output.2)" }
    var words = plain.split { $0.isWhitespace || ",;&".contains($0) }
      .filter { !["and", "every", "at", "by", "on"].contains($0) }
    if words.isEmpty { return nil }
    var times: [Time] = []
    while !words.isEmpty {
      var days: Weekdays = []
      while let word = words.first, let named = self.days(named: word) {
        days.formUnion(named)
        words.removeFirst()
      }
      var hasTime = false
      while let word = words.first, let minute = minute(named: word) {
        times.append(Time(minute: minute, days: days.isEmpty ? .daily : days))
        hasTime = true
        words.removeFirst()
      }
      guard hasTime else { return nil }
    }
    return times
  }

  private static func days(named word: Substring) -> Weekdays? {
    switch word {
    case "daily", "day", "days", "everyday": return .daily
    case "weekday", "weekdays", "workdays": return Weekdays(rawValue: 0b001_1111)
    case "weekend", "weekends": return Weekdays(rawValue: 0b110_0000)
    default: break
    }
    let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(day(named:))
    switch (ends.count, ends.first ?? nil, ends.last ?? nil) {
    case (1, let day?, _): return Weekdays.all[day]
    case (2, let first?, let last?):
      // `sat-mon` goes over the end of the week.
      let length = (last - first + 7) % 7
      return (0...length).reduce(into: Weekdays()) { $0.formUnion(Weekdays.all[(first + $1) % 7]) }
    default: return nil
    }
  }

  private static func day(named word: Substring) -> Int? {
    let full = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    let name = word.hasSuffix("s") ? word.dropLast() : word
    let plain = name.last == "." ? name.dropLast() : name
    return full.firstIndex { plain.count >= 2 && $0.hasPrefix(plain) || $0 == word }
  }

  /// Reads `9:00`, `09:00`, `09.00`, `9h00`, `0900`, `9am`, `9:30pm` or `noon`.
  private static func minute(named word: Substring) -> Int? {
    if word == "noon" { return 12 * 60 }
    if word.utf8.count == 4, word.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(word), number / 100 < 24, number % 100 < 60
    {
      return number / 100 * 60 + number % 100
    }
    guard let match = word.wholeMatch(of: #/(\d{1,2})(?:[:.h](\d{2}))?(?:([ap])\.?m\.?)?/#),
      let hour = Int(match.1), match.2 != nil || match.3 != nil
    else { return nil }
    let minute = match.2.flatMap { Int($0) } ?? 0
    guard minute < 60 else { return nil }
    if let half = match.3 {
      guard (1...12).contains(hour) else { return nil }
      return (hour % 12 + (half == "p" ? 12 : 0)) * 60 + minute
    }
    return hour < 24 ? hour * 60 + minute : nil
  }

  /// The times as ``init(parsing:zone:opening:)`` reads them: `daily 09:00`,
  /// `mon-fri 08:30, 18:00; sat,sun 11:00`.
  public var text: String {
    groups.map { "\($0.days.text) \($0.clocks.joined(separator: ", "))" }.joined(separator: "; ")
  }

  /// The times as they follow "check in" in prose: `by 09:00 every day`, `by 08:30 and 18:00 from
  /// Monday to Friday`.
  public var inWords: String {
    groups.map { "by \($0.clocks.joinedAsList) \($0.days.inWords)" }.joinedAsList
  }

  /// The zone as people say it, before "time": `Berlin`, `UTC`.
  public var zoneTitle: String {
    String(zone.split(separator: "/").last ?? "").replacing("_", with: " ")
  }

  /// The times with the same days together, by their first day.
  private var groups: [(days: Weekdays, clocks: [String])] {
    Dictionary(grouping: times, by: \.days)
      .sorted { Self.rank($0.key) < Self.rank($1.key) }
      .map { (days: $0.key, clocks: $0.value.map(\.clock)) }
  }

  /// Sorts by the first day, then by the second, and so on.
  private static func rank(_ days: Weekdays) -> Int {
    Weekdays.all.enumerated().reduce(0) { $0 * 2 + (days.contains($1.element) ? 0 : 1) }
  }
}

extension Weekdays {
  fileprivate var positions: [Int] { Self.all.indices.filter { contains(Self.all[$0]) } }

  /// The first and the last of three or more days in a row.
  private var span: (first: Int, last: Int)? {
    guard let first = positions.first, let last = positions.last, positions.count > 2,
      last - first + 1 == positions.count
    else { return nil }
    return (first, last)
  }

  /// `daily`, `mon-fri`, `sat,sun`.
  fileprivate var text: String {
    if self == .daily { return "daily" }
    if let span { return "\(Self.names[span.first])-\(Self.names[span.last])" }
    return positions.map { Self.names[$0] }.joined(separator: ",")
  }

  /// `every day`, `from Monday to Friday`, `on Saturday and Sunday`.
  fileprivate var inWords: String {
    let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    if self == .daily { return "every day" }
    if let span { return "from \(names[span.first]) to \(names[span.last])" }
    return "on " + positions.map { names[$0] }.joinedAsList
  }
}
