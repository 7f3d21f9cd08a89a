import Domain
import Testing

@Suite struct StageTests {
  @Test("ESC-3: a stage is read back from its key in the store, and an unknown key gives none")
  func storageKey() {
    for stage in TopicTests.stages {
      #expect(Stage(storageKey: stage.storageKey) == stage)
    }
    #expect(Stage(storageKey: "reminder:soon") == nil)
    #expect(Stage(storageKey: "") == nil)
  }

  @Test(
    "NOT-5: calls for help and ends are exempt from the daily limit; of a drill, only the end is")
  func neverHeldBack() {
    for stage in TopicTests.stages {
      let isHelp = stage.isUrgent || stage.isEnd || [.accountDeleted, .unwatched].contains(stage)
      #expect(stage.isNeverHeldBack(inDrill: false) == isHelp, "\(stage)")
      #expect(stage.isNeverHeldBack(inDrill: true) == stage.isEnd, "\(stage)")
    }
    // Each name is that of a message.
    #expect(Stage.namesNeverHeldBack.isSubset(of: TopicTests.stages.map(\.name)))
  }
}
