import Composable
import Synchronization

/// Everything that a test would leave unfinished if it ended now. Separate from the test store,
/// because a store can be deallocated on any thread.
final class TestLedger<Action: Sendable>: Sendable {
  private struct Contents {
    var unasserted: [Action] = []
    var effects: [IssueLocation] = []
    var shared: SharedChanges?
    var exhaustivity = Exhaustivity.on
  }

  private let contents = Mutex(Contents())
  private let location: IssueLocation

  init(location: IssueLocation) { self.location = location }

  func update(
    unasserted: [Action], effects: [IssueLocation], shared: SharedChanges,
    exhaustivity: Exhaustivity
  ) {
    contents.withLock {
      $0 = Contents(
        unasserted: unasserted, effects: effects, shared: shared, exhaustivity: exhaustivity)
    }
  }

  /// Reports what is left unfinished.
  func reportUnfinished() {
    let contents = contents.withLock { $0 }
    if !contents.unasserted.isEmpty {
      report(unassertedText(contents.unasserted), contents.exhaustivity)
    }
    if !contents.effects.isEmpty { report(runningText(contents.effects), contents.exhaustivity) }
    if contents.unasserted.isEmpty, let text = contents.shared.flatMap(sharedText) {
      report(text, contents.exhaustivity)
    }
  }

  private func report(_ message: String, _ exhaustivity: Exhaustivity) {
    switch exhaustivity {
    case .on: reportIssue(message, at: location)
    case .off(showSkippedAssertions: true): note(message, at: location)
    case .off: break
    }
  }
}

func unassertedText<Action>(_ actions: [Action]) -> String {
  """
  The test ends with \(actions.count) received action(s) that were not asserted.

  \(list(actions))

  Assert them with `receive`, or skip them with `skipReceivedActions`.
  """
}

func runningText(_ effects: [IssueLocation]) -> String {
  """
  The test ends while \(effects.count) effect(s) still run, started at

  \(effects.map { "  • \($0)" }.sorted().joined(separator: "\n"))

  Let them end: advance the clock on which they sleep, finish the stream that they read, or send \
  the action that cancels them. An effect that must outlive the test is skipped \
  with `skipInFlightEffects`.
  """
}

/// Returns the failure text about changes of shared values that weren't asserted; `nil` if there
/// are none.
func sharedText(_ changes: SharedChanges) -> String? {
  let pending = changes.all.filter { !areEqual($0.asserted, $0.current) }
  guard !pending.isEmpty else { return nil }
  return """
    The test ends with \(pending.count) change(s) of shared values that were not asserted.

    \(pending.map { difference($0.asserted, $0.current) }.sorted().joined(separator: "\n"))

    Assert a change that an effect made with `assert`, as in \
    `store.assert { $0.$count.withLock { $0 = 1 } }`.
    """
}

/// Returns a bulleted list with one value per line.
func list<Value>(_ values: [Value]) -> String {
  values.map { "  • \(describe($0))" }.joined(separator: "\n")
}
