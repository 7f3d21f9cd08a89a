import Composable
import ComposableFoundation
import FoundationEssentials
import Testing

@Suite struct ActionHistoryTests {
  private let date = Date(timeIntervalSince1970: 0)

  @Test func anEntry_standsBetweenTwoStates() {
    var history = ActionHistory<Int, String>(initialState: 0)
    history.append("one", date: date, state: 1)
    history.append("three", date: date + 1, state: 3)
    #expect(history.entries.map(\.id) == [1, 2])
    #expect(history.entries.map(\.action) == ["one", "three"])
    #expect(history.entries.map(\.date) == [date, date + 1])
    #expect(history.states(at: 0) == (0, 1))
    #expect(history.states(at: 1) == (1, 3))
  }

  @Test func theOldestEntries_areForgotten() {
    var history = ActionHistory<Int, Int>(initialState: 0, limit: 3)
    for number in 1...7 { history.append(number, date: date, state: number * 10) }
    #expect(history.entries.map(\.id) == [5, 6, 7])
    #expect(history.initialState == 40)
    #expect(history.states(at: 0) == (40, 50))
  }
}
