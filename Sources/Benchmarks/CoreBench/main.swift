import Composable
import ComposableTesting

/// Measures one case: the best of five runs, in nanoseconds per operation.
@MainActor
func measure(_ name: String, goal: Int, count: Int, _ run: @MainActor (Int) async -> Void) async {
  if CommandLine.arguments.count > 1, !name.contains(CommandLine.arguments[1]) { return }
  var best = Duration.seconds(1_000)
  for _ in 0..<5 {
    let start = ContinuousClock.now
    await run(count)
    best = min(best, start.duration(to: .now))
  }
  let nanoseconds = Int(best / .nanoseconds(1)) / count
  let padding = String(repeating: " ", count: max(0, 44 - name.count))
  print(
    "\(name)\(padding) \(nanoseconds) ns   goal \(goal)\(nanoseconds <= goal ? "" : "   MISSED")")
}

await measure("send at the root", goal: 120, count: 200_000) { count in
  let store = Store(initialState: Leaf.State()) { Leaf() }
  for _ in 0..<count { store.send(.increment) }
}

await measure("send five scopes deep", goal: 350, count: 100_000) { count in
  let store = Store(initialState: Nest5.State()) { Nest5() }
  for _ in 0..<count { store.send(.child(.child(.child(.child(.child(.increment)))))) }
}

await measure("send through five scoped stores", goal: 600, count: 100_000) { count in
  let root = Store(initialState: Nest5.State()) { Nest5() }
  let store = root.scope(state: \.child, action: Nest5.Action.childCase)
    .scope(state: \.child, action: Nest4.Action.childCase)
    .scope(state: \.child, action: Nest3.Action.childCase)
    .scope(state: \.child, action: Nest2.Action.childCase)
    .scope(state: \.child, action: Nest1.Action.childCase)
  for _ in 0..<count { store.send(.increment) }
}

await measure("send five presentations deep", goal: 1_500, count: 50_000) { count in
  let store = Store(initialState: Presenter5.State()) { Presenter5() }
  for _ in 0..<count {
    store.send(
      .child(
        .presented(
          .child(
            .presented(
              .child(
                .presented(
                  .child(
                    .presented(
                      .child(
                        .presented(.increment)))))))))))
  }
}

for (rows, goal) in [(1_000, 500), (10_000, 600)] {
  await measure("forEach, one of \(rows)", goal: goal, count: 100_000) { count in
    var state = List.State()
    for id in 0..<rows { state.rows.append(Leaf.State(id: id)) }
    let store = Store(initialState: state) { List() }
    state = List.State()
    for index in 0..<count { store.send(.rows(.element(id: index % rows, action: .increment))) }
  }
}

await measure("1,000 observed row stores, one sends", goal: 20_000, count: 2_000) { count in
  var state = List.State()
  for id in 0..<1_000 { state.rows.append(Leaf.State(id: id)) }
  let store = Store(initialState: state) { List() }
  state = List.State()
  let rows = store.scopes(state: \.rows, action: List.Action.rowsCase)
  var told = 0
  let tokens = rows.map { $0.observe { told += 1 } }
  for index in 0..<count { rows[index % 1_000].send(.increment) }
  precondition(told == count && tokens.count == 1_000)
}

await measure("Effect.send round trip", goal: 500, count: 100_000) { count in
  let store = Store(initialState: Leaf.State()) { Leaf() }
  for _ in 0..<count { store.send(.sendEffect) }
}

await measure("Effect.run round trip", goal: 15_000, count: 5_000) { count in
  let store = Store(initialState: Leaf.State()) { Leaf() }
  for _ in 0..<count { await store.send(.runEffect).finish() }
}

await measure("@Dependency, 100 reads", goal: 6_000, count: 5_000) { count in
  let store = Store(initialState: Leaf.State()) { Leaf() }
  for _ in 0..<count { store.send(.readDependency) }
}

await measure("TestStore.send with assertion", goal: 5_000, count: 10_000) { count in
  let store = TestStore(initialState: Leaf.State()) { Leaf() }
  for _ in 0..<count { await store.send(.increment) { $0.count += 1 } }
}

await measure("difference of two small structs", goal: 10_000, count: 2_000) { count in
  for index in 0..<count { _ = difference(Leaf.State(), Leaf.State(count: index + 1)) }
}

await measure("difference of two arrays of 1,000", goal: 300_000, count: 20) { count in
  let first = (0..<1_000).map { Leaf.State(id: $0) }
  for index in 0..<count {
    var second = first
    second[500].count = index + 1
    _ = difference(first, second)
  }
}
