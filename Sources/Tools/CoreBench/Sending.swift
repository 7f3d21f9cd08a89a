import Composable

/// Measures an action passing through a feature's levels.
@MainActor
func measureSending(_ table: Table) async {
  let count = operations(200_000)

  await table.measure("send at the root, mutating", peer: "4,900", goal: 120) {
    await measure(count) { timed in
      let floor = Floor(Leaf.State(), reduce: Leaf.count)
      timed { for _ in 0..<count { floor.send(.increment) } }
    }
  } _: {
    await measure(count) { timed in
      let store = Store(initialState: Leaf.State()) { Leaf() }
      timed { for _ in 0..<count { store.send(.increment) } }
    }
  }

  await table.measure("send of an action five Scopes deep", peer: "19,600", goal: 350) {
    await measure(count) { timed in
      let floor = Floor(Nest5.State()) { (state: inout Nest5.State, action: Nest5.Action) in
        guard case .child(.child(.child(.child(.child(let action))))) = action else { return }
        Leaf.count(&state.child.child.child.child.child, action)
      }
      timed {
        for _ in 0..<count { floor.send(.child(.child(.child(.child(.child(.increment)))))) }
      }
    }
  } _: {
    await measure(count) { timed in
      let store = Store(initialState: Nest5.State()) { Nest5() }
      timed {
        for _ in 0..<count { store.send(.child(.child(.child(.child(.child(.increment)))))) }
      }
    }
  }

  await table.measure("send through five scoped stores", peer: "30,100", goal: 600) {
    await measure(count) { timed in
      let store = Store(initialState: Nest5.State()) { Nest5() }
        .scope(state: \.child, action: Nest5.Action.childCase)
        .scope(state: \.child, action: Nest4.Action.childCase)
        .scope(state: \.child, action: Nest3.Action.childCase)
        .scope(state: \.child, action: Nest2.Action.childCase)
        .scope(state: \.child, action: Nest1.Action.childCase)
      timed { for _ in 0..<count { store.send(.increment) } }
    }
  }

  await table.measure("five nested ifLet/presentations", peer: "63,500", goal: 1_500) {
    await measure(count) { timed in
      let store = Store(initialState: Presenter5.State()) { Presenter5() }
      timed {
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
    }
  }
}
