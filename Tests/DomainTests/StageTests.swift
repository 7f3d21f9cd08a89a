import Domain
import Testing

@Suite struct StageTests {
  @Test("ESC-3: a stage's name in the store is read back")
  func storageKey() {
    for stage in TopicTests.stages {
      #expect(Stage(storageKey: stage.storageKey) == stage)
    }
    #expect(Stage(storageKey: "reminder:soon") == nil)
    #expect(Stage(storageKey: "") == nil)
  }

  @Test("NOT-5: calls for help, their texts and ends are never held back, and a drill's end isn't")
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
