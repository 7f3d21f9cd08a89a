import Testing

@testable import CommandLine

struct LocalTimeZoneTests {
  @Test(arguments: [
    "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+3",
    "CET-1CEST,M3.5.0,M10.5.0/3", "<+03>-3",
  ])
  func aName_isTaken(name: String) { #expect(LocalTimeZone.checked(name) == name) }

  @Test(arguments: [
    "", "/etc/passwd", ":/etc/passwd", "../../etc/passwd", "Europe/../../x", "a b", "\u{1B}[2J",
    String(repeating: "x", count: 65),
  ])
  func aNameThatIsNone_isNot(name: String) { #expect(LocalTimeZone.checked(name) == nil) }

  @Test func theSystemsZone_isWhereItsLinkLeads() {
    #expect(LocalTimeZone.zone(ofLink: "/usr/share/zoneinfo/Europe/Berlin") == "Europe/Berlin")
    #expect(LocalTimeZone.zone(ofLink: "../usr/share/zoneinfo/Etc/UTC") == "Etc/UTC")
    #expect(LocalTimeZone.zone(ofLink: "/etc/zone") == nil)
    #expect(LocalTimeZone.zone(ofLink: "/usr/share/zoneinfo") == nil)
  }
}
