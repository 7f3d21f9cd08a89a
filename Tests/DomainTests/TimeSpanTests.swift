import Domain
import Testing

@Suite struct TimeSpanTests {
  @Test(
    "INT-1: durations such as 36h, 2d 12h or 90 min are read",
    arguments: [
      ("36h", 129_600), ("2d 12h", 216_000), ("2d12h", 216_000), (" 90 min ", 5_400),
      ("1h30m", 5_400), ("1 hour 5 minutes 3 seconds", 3_903), ("0h", 0), ("7 days", 604_800),
      ("45S", 45),
    ])
  func parses(text: String, seconds: Int) throws {
    #expect(try TimeSpan(parsing: text).seconds == seconds)
  }

  @Test(
    "INT-1: a text that isn't a duration is refused",
    arguments: [
      "banana", "", " ", "24", "h", "1h 2h", "5m 1h", "-1h", "1.5h", "١h", "1h;",
      "99999999999999999999d", "9223372036854775807d", "1 fortnight",
    ])
  func refuses(text: String) {
    #expect(throws: ValidationError.duration(text)) {
      try TimeSpan(parsing: text)
    }
  }

  @Test(
    "An error quotes a refused text shortened and without control characters",
    arguments: [
      ("1d\u{1B}[2J", "1d\u{FFFD}[2J"), ("\u{202E}1d\u{0}", "\u{FFFD}1d\u{FFFD}"),
      ("1d\n2h\u{2028}", "1d\u{FFFD}2h\u{FFFD}"), ("1d\u{9B}2J", "1d\u{FFFD}2J"),
      (String(repeating: "x", count: 40), String(repeating: "x", count: 40)),
      (String(repeating: "x", count: 41), String(repeating: "x", count: 40) + "…"),
      (String(repeating: "x", count: 10_000), String(repeating: "x", count: 40) + "…"),
      (
        "e" + String(repeating: "\u{301}", count: 2_000),
        "e" + String(repeating: "\u{301}", count: 79) + "…"
      ),
    ])
  func repeats(text: String, shown: String) {
    #expect(throws: ValidationError.duration(shown)) { try TimeSpan(parsing: text) }
  }

  @Test func exactDescriptionIsReadBack() throws {
    for seconds in [0, 1, 59, 60, 61, 3_599, 3_600, 86_399, 86_400, 90_061, 2_592_000] {
      let span = TimeSpan(seconds: seconds)
      #expect(try TimeSpan(parsing: span.exactDescription) == span)
    }
  }

  @Test(
    "ORD-4: a list shows a duration in its two largest units",
    arguments: [
      (190_800, "2d 5h"), (19_380, "5h 23m"), (1_380, "23m"), (172_800, "2d"), (7_200, "2h"),
      (59, "0m"), (-19_380, "5h 23m"),
    ])
  func shortDescription(seconds: Int, text: String) {
    #expect(TimeSpan(seconds: seconds).shortDescription == text)
  }

  @Test(
    "CHK-4: the countdown shows seconds in the last hour only",
    arguments: [
      (86_400, "1d 0h"), (86_399, "23h 59m"), (3_600, "1h 00m"), (3_599, "59m 59s"), (5, "0m 05s"),
      (0, "0m 00s"), (-61, "1m 01s"),
    ])
  func countdownDescription(seconds: Int, text: String) {
    #expect(TimeSpan(seconds: seconds).countdownDescription == text)
  }
}

@Suite struct CheckInIntervalTests {
  @Test("INT-1: an interval below 1 h or above 30 d is refused")
  func range() throws {
    #expect(try CheckInInterval(parsing: "1h").span == .hours(1))
    #expect(try CheckInInterval(parsing: "30d").span == .days(30))
    for text in ["0h", "59m", "30d 1s", "31d"] {
      #expect(throws: ValidationError.intervalRange) { try CheckInInterval(parsing: text) }
    }
  }

  @Test("INT-1: the default interval is 24 h, and every preset is between 1 h and 30 d")
  func presets() {
    #expect(CheckInInterval.standard.span == .hours(24))
    #expect(
      CheckInInterval.presets.map(\.displayText) == [
        "8h", "12h", "16h", "24h", "32h", "48h", "72h", "4d", "5d", "6d", "7d",
      ])
    #expect(CheckInInterval.presets.allSatisfy { CheckInInterval.range.contains($0.span) })
  }

  @Test(
    "INT-1, ORD-4: an interval is shown in hours up to 72h, else in days, and never rounded",
    arguments: [
      ("90m", "1h 30m"), ("1d", "24h"), ("2d 12h", "60h"), ("72h", "72h"), ("73h", "3d 1h"),
      ("2d 1h 5m", "2d 1h 5m"),
    ])
  func displayText(text: String, shown: String) throws {
    #expect(try CheckInInterval(parsing: text).displayText == shown)
  }

  @Test(
    "INT-1: prose writes an interval out, as in every day or every 36 hours",
    arguments: [
      ("24h", "day"), ("1h", "hour"), ("90m", "1 hour 30 minutes"), ("36h", "36 hours"),
      ("48h", "2 days"), ("60h", "2 days 12 hours"), ("7d", "7 days"),
    ])
  func inWords(text: String, words: String) throws {
    #expect(try CheckInInterval(parsing: text).inWords == words)
  }

  @Test(
    "Prose writes a duration out, such as 15 minutes",
    arguments: [
      (0, "0 seconds"), (1, "1 second"), (900, "15 minutes"), (3_600, "1 hour"),
      (86_400, "24 hours"), (129_600, "36 hours"), (216_000, "2 days 12 hours"),
    ])
  func inWords(seconds: Int, words: String) {
    #expect(TimeSpan(seconds: seconds).inWords == words)
  }

  @Test(
    "An age is shown like 2h 5m ago, with seconds only in the first minute",
    arguments: [(0, "0s ago"), (59, "59s ago"), (60, "1m ago"), (7_500, "2h 5m ago")])
  func ages(seconds: Int, text: String) {
    #expect(TimeSpan(seconds: seconds).ageDescription == text)
  }
}
