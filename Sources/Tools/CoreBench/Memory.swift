import AllocationCounter
import Composable

/// Measures the memory of a store, and of a running effect.
@MainActor
func measureMemory(_ table: Table) async {
  let count = 10_000

  await table.measure("a scoped store of a row", goal: nil) {
    let store = Store(initialState: List.state(rows: count)) { List() }
    return await bytes(per: count) { store.scopes(state: \.rows, action: List.Action.rowsCase) }
  }

  await table.measure("an effect in flight", goal: nil) {
    await bytes(per: count) {
      let door = Door()
      let store = Store(initialState: 0) {
        Reduce<Int, Void> { _, _ in .run { _ in await door.wait() } }
      }
      let tasks = (0..<count).map { _ in store.send(()) }
      while door.waiting.count < count { await Task.yield() }
      return (store, door, tasks)
    } end: { _, door, tasks in
      door.open()
      for task in tasks { await task.finish() }
    }
  }
}

/// Keeps effects waiting until it opens.
@MainActor
private final class Door {
  private(set) var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async { await withCheckedContinuation { waiting.append($0) } }

  func open() { for continuation in waiting { continuation.resume() } }
}

/// Returns the bytes per object.
///
/// - Parameters:
///   - count: The number of objects.
///   - make: Creates the objects and returns what keeps them alive.
///   - end: Releases them.
@MainActor
private func bytes<Kept>(
  per count: Int, _ make: @MainActor () async -> Kept,
  end: @MainActor (Kept) async -> Void = { _ in }
) async -> Figures {
  var samples: [Double] = []
  for _ in 0..<sampleCount {
    let before = Int(allocation_bytes())
    let kept = await make()
    samples.append(Double(Int(allocation_bytes()) - before) / Double(count))
    await end(kept)
  }
  return Figures(of: samples)
}
