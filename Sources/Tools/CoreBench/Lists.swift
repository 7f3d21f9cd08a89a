import Composable

/// Measures one row of many. The cost must not grow with the number of rows.
@MainActor
func measureLists(_ table: Table) async {
  let count = operations(100_000)

  for (rows, text, peer, goal) in [
    (1_000, "1,000", "47,100", 500), (10_000, "10,000", "297,700", 600),
  ] {
    await table.measure("forEach, one element of \(text)", peer: peer, goal: goal) {
      await measure(count) { timed in
        let floor = Floor(PlainList(List.state(rows: rows)), reduce: PlainList.reduce)
        timed {
          for index in 0..<count {
            floor.send(.rows(.element(id: index % rows, action: .increment)))
          }
        }
      }
    } _: {
      await measure(count) { timed in
        let store = Store(initialState: List.state(rows: rows)) { List() }
        timed {
          for index in 0..<count {
            store.send(.rows(.element(id: index % rows, action: .increment)))
          }
        }
      }
    }
  }

  await table.measure("1,000 live row stores, one row's send", peer: "2,196,000", goal: 20_000) {
    let count = operations(5_000)
    return await measure(count) { timed in
      let store = Store(initialState: List.state(rows: 1_000)) { List() }
      let rows = store.scopes(state: \.rows, action: List.Action.rowsCase)
      var told = 0
      let tokens = rows.map { $0.observe { told += 1 } }
      timed { for index in 0..<count { rows[index % 1_000].send(.increment) } }
      precondition(told == count && tokens.count == 1_000)
    }
  }
}

/// A handwritten list: an array, and the index of each identifier.
private struct PlainList {
  private var rows: [Leaf.State]
  private var positions: [Int: Int]

  init(_ list: List.State) {
    rows = list.rows.elements
    positions = Dictionary(uniqueKeysWithValues: zip(list.rows.map(\.id), 0...))
  }

  static func reduce(_ state: inout Self, _ action: List.Action) {
    guard case .rows(.element(let id, let action)) = action, let position = state.positions[id]
    else { return }
    Leaf.count(&state.rows[position], action)
  }
}
