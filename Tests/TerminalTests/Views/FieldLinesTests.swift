import Testing

@testable import Terminal

struct FieldLinesTests {
  private func lines(_ text: String, columns: Int) -> [String] {
    let characters = Array(text)
    let lines = FieldLines(characters, columns: columns)
    return (0..<lines.count).map { String(characters[lines.range($0)!]) }
  }

  @Test func linesBreakAfterTheLastSpaceThatFits() {
    #expect(lines("aaaa bbbb cccc", columns: 6) == ["aaaa ", "bbbb ", "cccc"])
  }

  @Test func aWordThatIsTooLong_breaksWhereTheLineIsFull() {
    #expect(lines("ab\ncdefgh", columns: 5) == ["ab", "cdefg", "h"])
    #expect(lines("日本語", columns: 5) == ["日本", "語"])
  }
}
