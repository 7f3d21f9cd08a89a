import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

struct IdentityTests {
  @Test("A UUID is read as it was written, in upper or lower case")
  func roundTrip() {
    for _ in 0..<100 {
      let uuid = UUID()
      #expect(UUID(sqlValue: uuid.sqlValue) == uuid)
      #expect(UUID(sqlValue: .text(uuid.uuidString)) == uuid)
    }
  }

  @Test(
    "A text that isn't a UUID is rejected",
    arguments: [
      "", "6f1c2d80-0000-4000-8000-00000000bee", "6f1c2d80-0000-4000-8000-00000000beeff",
      "6f1c2d8000000-4000-8000-00000000beef", "6f1c2d80-0000-4000-8000-00000000beeg",
      "6f1c2d8-00000-4000-8000-00000000beef", "6f1c2d80000004000080000000000000beef",
      "------------------------------------", "6f1c2d80-0000-4000-8000-00000000bé",
      // The characters next to digits and letters in ASCII.
      "6f1c2d80-0000-4000-8000-00000000bee/", "6f1c2d80-0000-4000-8000-00000000bee:",
      "6f1c2d80-0000-4000-8000-00000000bee@", "6f1c2d80-0000-4000-8000-00000000beeG",
      "6f1c2d80-0000-4000-8000-00000000bee`",
    ])
  func malformed(text: String) {
    #expect(UUID(sqlValue: .text(text)) == nil)
  }

  @Test("A number or NULL isn't read as a UUID") func number() {
    #expect(UUID(sqlValue: .integer(7)) == nil)
    #expect(UUID(sqlValue: .null) == nil)
  }
}

struct StoredDateTests {
  @Test(
    "A date is stored in whole milliseconds, limited to the years 1970 to 9999",
    arguments: [
      (-1, 0), (0, 0), (1, 1), (1_795_000_000_001, 1_795_000_000_001),
      (253_402_300_799_998, 253_402_300_799_998), (253_402_300_799_999, 253_402_300_799_999),
      (253_402_300_800_000, 253_402_300_799_999), (Int.max, 253_402_300_799_999),
    ])
  func milliseconds(_ exact: Int, _ kept: Int) {
    #expect(Date(milliseconds: exact).milliseconds == kept)
  }
}
