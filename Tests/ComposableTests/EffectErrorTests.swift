import Composable
import ComposableTesting
import Testing

/// Errors that effects throw.
@MainActor @Suite struct EffectErrorTests {
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "out of paper" }
  }

  private func store(
    _ effect: @escaping @Sendable () -> Effect<String>
  ) -> TestStore<[String], String> {
    TestStore(initialState: []) {
      Reduce { state, action in
        guard action == "start" else {
          if action != "cancel" { state.append(action) }
          return action == "cancel" ? .cancel(id: "id") : .none
        }
        return effect().cancellable(id: "id")
      }
    }
  }

  @Test func cancellationErrorIsSilent() async {
    let store = store { .run { _ in throw CancellationError() } }
    await store.send("start")
    await store.finish()
  }

  @Test func anythingAfterCancellationIsSilent() async {
    let gate = Gate()
    let caught = LockedLog<String>()
    let store = store {
      .merge(
        .run { _ in
          await gate.wait()
          throw Failure()
        } catch: { error, _ in
          caught.append("\(error)")
        },
        .run { _ in
          await gate.wait()
          throw Failure()
        })
    }
    await store.send("start")
    await store.send("cancel")
    gate.open()
    await store.finish()
    #expect(caught.values.isEmpty)
  }

  @Test func anotherErrorGoesToCatch() async {
    let store = store {
      .run { _ in
        throw Failure()
      } catch: { error, send in
        await send("caught \(error)")
      }
    }
    await store.send("start")
    await store.receive("caught out of paper") { $0 = ["caught out of paper"] }
    await store.finish()
  }

  @Test func withoutCatchItIsAnIssueAtTheEffectsLineWithTheError() async {
    let line = #line + 1
    let store = store { .run { _ in throw Failure() } }
    await withKnownIssue {
      await store.send("start")
      await store.finish()
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue == """
          An effect threw an error that nothing catches.

            out of paper

          Catch it in the effect, or handle it in `catch:`, and send an action that says what \
          happened.
          """
    }
  }
}
