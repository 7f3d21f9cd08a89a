import Composable
import Domain
import FoundationEssentials
import Testing

@Suite("SCH-3: zone rules")
struct ZoneRulesTests {
  /// The seconds that clocks show since they showed 1970.
  private func local(_ text: String) -> Int {
    Int(CivilCalendar.utc.date(of: CivilTime(parsing: text)!)!.timeIntervalSince1970)
  }

  private func instant(_ local: String, _ zone: String) throws -> String {
    let rules = try #require(ZoneData.rules(of: zone), "The package tzdata is missing")
    return Date(timeIntervalSince1970: Double(rules.instant(ofLocal: self.local(local)))).rfc3339
  }

  @Test(
    "SCH-3: a time that a clock change skips is the first instant after it; of two it is the first",
    arguments: [
      ("Europe/Berlin", "2026-01-15 09:00", "2026-01-15T08:00:00Z"),
      ("Europe/Berlin", "2026-07-15 09:00", "2026-07-15T07:00:00Z"),
      ("Europe/Berlin", "2026-03-29 01:59", "2026-03-29T00:59:00Z"),
      ("Europe/Berlin", "2026-03-29 02:00", "2026-03-29T01:00:00Z"),
      ("Europe/Berlin", "2026-03-29 02:59", "2026-03-29T01:00:00Z"),
      ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00:00Z"),
      ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
      ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25T02:00:00Z"),
      // By the rule of the last line, long after what the file lists.
      ("Europe/Berlin", "2090-03-26 02:30", "2090-03-26T01:00:00Z"),
      // A day that never was.
      ("Pacific/Apia", "2011-12-30 09:00", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2011-12-31 00:00", "2011-12-30T10:00:00Z"),
      // Half an hour, and a summer that is a negative winter.
      ("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:30:00Z"),
      ("Europe/Dublin", "2026-07-01 12:00", "2026-07-01T11:00:00Z"),
      ("UTC", "2026-07-01 12:00", "2026-07-01T12:00:00Z"),
      ("Asia/Kathmandu", "2026-07-01 12:00", "2026-07-01T06:15:00Z"),
    ])
  func instants(_ zone: String, _ local: String, _ expected: String) throws {
    #expect(try instant(local, zone) == expected)
  }

  @Test(
    "SCH-3: without zone data, times follow the rule that was stored",
    arguments: [
      "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0",
      "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
      "IST-1GMT0,M10.5.0,M3.5.0/1", "UTC0", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
    ])
  func rules(_ text: String) throws {
    let zone = [
      "CET": "Europe/Berlin", "EST": "America/New_York", "<+1": "Australia/Lord_Howe",
      "IST": "Europe/Dublin", "UTC": "UTC", "<-0": "America/Nuuk",
    ][String(text.prefix(3))]!
    let stored = try #require(ZoneRules(posix: text))
    let data = try #require(ZoneData.rules(of: zone))
    // Nuuk's rule is in force since 2024.
    for day in stride(from: local("2026-01-01"), to: local("2032-01-01"), by: 10_007) {
      #expect(
        zone == "America/Nuuk" || stored.offset(at: day) == data.offset(at: day), "\(zone) \(day)")
      #expect(zone == "America/Nuuk" || stored.instant(ofLocal: day) == data.instant(ofLocal: day))
    }
    #expect(ZoneRules(posix: data.ruleText) != nil)
  }

  @Test("SCH-3: a summer that lasts all year and days counted from January are understood")
  func rareRules() throws {
    let allYear = try #require(ZoneRules(posix: "AAA3BBB2,0/0,J365/25"))
    for day in stride(from: local("2026-01-01"), to: local("2029-01-01"), by: 10_007) {
      #expect(allYear.offset(at: day) == -2 * 3_600)
    }
    let counted = try #require(ZoneRules(posix: "AAA0BBB,J60/0,300/0"))
    #expect(counted.offset(at: local("2028-02-29 12:00")) == 0)
    #expect(counted.offset(at: local("2028-03-01 12:00")) == 3_600)
    #expect(counted.offset(at: local("2027-03-01 12:00")) == 3_600)
  }

  @Test(
    "Text that isn't a rule is refused",
    arguments: [
      "", "CE-1", "CET", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.5.0,M10.5.0,", "CET-25", "CET-1CEST,M3.5.0/168,M10.5.0", "<+01", "9-9",
      String(repeating: "A", count: 200),
    ])
  func noRules(_ text: String) {
    #expect(ZoneRules(posix: text) == nil)
  }

  @Test("Damaged zone data is refused and never crashes")
  func damaged() throws {
    let path = "\(ZoneData.folder)/Europe/Berlin"
    let whole = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(ZoneRules(tzif: whole) != nil)
    var random = SplitMix64(seed: 7)
    for length in 0..<whole.count where length % 7 == 0 {
      _ = ZoneRules(tzif: Array(whole.prefix(length)))
    }
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let rules = ZoneRules(tzif: bytes) else { continue }
      _ = rules.instant(ofLocal: local("2026-03-29 02:30"))
      _ = rules.offset(at: .random(in: -4_000_000_000...4_000_000_000, using: &random))
    }
  }

  @Test(
    "Only a zone's name reads a file",
    arguments: [
      "../etc/passwd", "/etc/passwd", "Europe/../../etc/passwd", "", "Europe", "Europe/", ".",
    ])
  func names(_ name: String) {
    #expect(ZoneData.rules(of: name) == nil)
  }
}
