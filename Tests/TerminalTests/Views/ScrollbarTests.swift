import Testing

@testable import Terminal

struct ScrollbarTests {
  @Test func thumbTouchesAnEnd_onlyWhereTheEndIsSeen() {
    func starts(height: Int) -> [Int] {
      [0, 1, 45, 89, 90].map {
        Scrollbar(count: 100, visible: 10, offset: $0).thumb(height: height).lowerBound
      }
    }
    #expect(starts(height: 10) == [0, 1, 4, 8, 9])
    // With two rows, the lower one means the end.
    #expect(starts(height: 2) == [0, 0, 0, 0, 1])
  }
}
