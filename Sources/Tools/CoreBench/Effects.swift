import Composable

/// Measures effects and dependencies.
@MainActor
func measureEffects(_ table: Table) async {
  await table.measure("Effect.send round trip", peer: "11,000", goal: 500) {
    let count = operations(100_000)
    return await measure(count) { timed in
      let store = Store(initialState: Leaf.State()) { Leaf() }
      timed { for _ in 0..<count { store.send(.sendEffect) } }
    }
  }

  let tasks = operations(5_000)
  await table.measure("Effect.run { await send } round trip", peer: "46,600 – 98,000", goal: 15_000)
  {
    await measure(tasks) { timed in
      await timed { for _ in 0..<tasks { await Task { @MainActor in }.value } }
    }
  } _: {
    await measure(tasks) { timed in
      let store = Store(initialState: Leaf.State()) { Leaf() }
      await timed { for _ in 0..<tasks { await store.send(.runEffect).finish() } }
    }
  }
  await table.measure("the same without waiting for each", goal: 15_000) {
    await measure(tasks) { timed in
      let store = Store(initialState: 0) { Chain() }
      await timed { await store.send(tasks).finish() }
      precondition(store.state == tasks + 1)
    }
  }
  // Under Swift 6.3 such a closure leaves the main actor at once (swiftlang/swift#87097).
  await table.measure("the same of a closure with a capture list", goal: nil) {
    await measure(tasks) { timed in
      let store = Store(initialState: 0) {
        Reduce<Int, Bool> { _, isStart in
          isStart ? .run { [isStart] send in await send(!isStart) } : .none
        }
      }
      await timed { for _ in 0..<tasks { await store.send(true).finish() } }
    }
  }
  // The minimum cost of an effect if it started on another thread.
  await table.measure("an empty task that visits the main actor", goal: nil) {
    await measure(tasks) { timed in
      await timed { for _ in 0..<tasks { await Task.detached { await MainActor.run {} }.value } }
    }
  }

  let reads = operations(200_000)
  await table.measure("@Dependency read in a reducer", peer: "520", goal: 60) {
    await measure(reads) { timed in
      let store = Store(initialState: 0) { Reader() }
      timed { store.send(.readUUID(times: reads)) }
    }
  }
  await table.measure("the same of a client of another module", goal: 60) {
    await measure(reads) { timed in
      let store = Store(initialState: 0) { Reader() }
      timed { store.send(.readClient(times: reads)) }
    }
  }
  await table.measure("the same of a client that the store overrides", goal: 60) {
    await measure(reads) { timed in
      let store = Store(initialState: 0, reducer: { Reader() }) {
        $0.numberClient = NumberClient(number: { 2 }, double: { 3 * $0 })
      }
      timed { store.send(.readClient(times: reads)) }
    }
  }
}
