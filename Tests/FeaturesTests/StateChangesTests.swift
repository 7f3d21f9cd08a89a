import Domain
import FoundationEssentials
import Testing

@testable import Features

struct StateChangesTests {
  @Test func onlyWhatChanged_isShown() {
    let old = Screen.signedIn()
    let new = Screen.changing(old) { $0.main?.selectedTab = .alerts }
    #expect(
      StateChanges(from: old, to: new).lines.map { "\($0.kind) \($0.text)" } == [
        "context AppFeature.State(", "context   main: MainTabFeature.State(",
        "removed     selectedTab: .checkIn", "added     selectedTab: .alerts",
      ])
    #expect(StateChanges(from: old, to: old).lines.isEmpty)
  }

  @Test func aLongDifference_isCut() {
    let new = Screen.signedIn { snapshot in
      snapshot.history = (0..<100).map {
        CheckIn(
          id: Sample.id(UInt8($0)), date: Sample.now, source: .manual, sequence: $0, margin: nil)
      }
    }
    let lines = StateChanges(from: AppFeature.State(), to: new).lines
    #expect(lines.count == StateChanges.limit + 1)
    #expect(lines.last?.text.hasSuffix("more lines") == true)
  }
}
