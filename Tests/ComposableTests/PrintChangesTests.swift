import Composable
import Testing

@MainActor @Suite struct PrintChangesTests {
  @Test func printsActionsAndChanges() {
    let log = LockedLog<String>()
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        return .none
      }
      ._printChanges("counter ") { log.append($0) }
    }
    store.send(2)
    store.send(0)
    #expect(log.values == ["counter 2:\n  − 0\n  + 2", "counter 0: no change"])
  }

  @Test func logsFromALevel() {
    let log = LockedLog<String>()
    withDependencies {
      $0.logger = Logger { log.append("\($0): \($1)") }
    } operation: {
      @Dependency(\.logger) var logger
      logger.debug("a")
      logger.info("b")
      logger.warning("c")
      logger.error("d")
    }
    #expect(log.values == ["debug: a", "info: b", "warning: c", "error: d"])
    #expect(Logger.Level.debug < .error)
  }
}
