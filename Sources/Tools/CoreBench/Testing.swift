import Composable
import ComposableTesting

/// Measures the cost of tests.
@MainActor
func measureTesting(_ table: Table) async {
  await table.measure("TestStore.send with assertion", peer: "23,900", goal: 5_000) {
    let count = operations(10_000)
    return await measure(count) { timed in
      let store = TestStore(initialState: Leaf.State()) { Leaf() }
      await timed { for _ in 0..<count { await store.send(.increment) { $0.count += 1 } } }
    }
  }

  await table.measure("diff of two small structs", peer: "71,400", goal: 10_000) {
    let count = operations(2_000)
    return await measure(count) { timed in
      timed {
        for index in 0..<count { _ = difference(Leaf.State(), Leaf.State(count: index + 1)) }
      }
    }
  }

  await table.measure(
    "diff of two arrays of 1,000 with one change", peer: "5,661,000", goal: 300_000
  ) {
    let count = operations(50)
    return await measure(count) { timed in
      let first = (0..<1_000).map { Leaf.State(id: $0) }
      var second = first
      timed {
        for index in 0..<count {
          second[500].count = index + 1
          _ = difference(first, second)
        }
      }
    }
  }
}
