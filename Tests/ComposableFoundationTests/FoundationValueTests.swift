import Composable
import ComposableFoundation
import FoundationEssentials
import Testing

/// How failures show values of Foundation's types.
@Suite struct FoundationValueTests {
  @Test(arguments: [
    (0, "1970-01-01 00:00:00 +0000"), (1.5, "1970-01-01 00:00:01.5 +0000"),
    (2.000_25, "1970-01-01 00:00:02.00025 +0000"), (-0.25, "1969-12-31 23:59:59.75 +0000"),
  ])
  func datesShowFractionsOfASecond(seconds: Double, text: String) {
    #expect(describe(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test func decimalsAreShownAsTheyAreWritten() {
    struct Price: Equatable { var amount: Decimal = 12.5 }
    #expect(describe(Decimal(string: "12.50")!) == "12.5")
    #expect(describe(Price()) == "FoundationValueTests.Price(amount: 12.5)")
  }

  @Test func identifiersAddressesAndDataAreShownInOneLine() {
    #expect(describe(UUID(1)) == "00000000-0000-0000-0000-000000000001")
    #expect(describe(URL(string: "https://example.org/a")!) == "https://example.org/a")
    #expect(describe(Data([1, 2, 3])) == "3 bytes")
  }
}
