import FoundationEssentials
import Testing

@testable import EmbeddedPlatform

struct IdentityTests {
  @Test("An identity is read as it was written, in either case")
  func roundTrip() {
    for _ in 0..<100 {
      let uuid = UUID()
      #expect(UUID(sqlValue: uuid.sqlValue) == uuid)
      #expect(UUID(sqlValue: .text(uuid.uuidString)) == uuid)
    }
  }

  @Test(
    "What is no identity is none",
    arguments: [
      "", "6f1c2d80-0000-4000-8000-00000000bee", "6f1c2d80-0000-4000-8000-00000000beeff",
      "6f1c2d8000000-4000-8000-00000000beef", "6f1c2d80-0000-4000-8000-00000000beeg",
      "6f1c2d8-00000-4000-8000-00000000beef", "6f1c2d80000004000080000000000000beef",
      "------------------------------------", "6f1c2d80-0000-4000-8000-00000000bé",
    ])
  func malformed(text: String) {
    #expect(UUID(sqlValue: .text(text)) == nil)
  }

  @Test("A number is no identity") func number() {
    #expect(UUID(sqlValue: .integer(7)) == nil)
    #expect(UUID(sqlValue: .null) == nil)
  }
}
