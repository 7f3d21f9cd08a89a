extension Reducer {
  /// Prints each action, and how it has changed the state, line by line. For looking into a running
  /// program; in a release build it does nothing.
  ///
  /// - Parameters:
  ///   - label: What stands before each action.
  ///   - print: Where it is printed. A program that draws on the terminal gives a log here.
  public func _printChanges(
    _ label: String = "", to print: @escaping (String) -> Void = { Swift.print($0) }
  ) -> ComposedReducer<State, Action> where State: Equatable {
    let base = makeNode()
    #if DEBUG
      return ComposedReducer(
        ReducerNode(prune: base.prune) { state, action in
          let before = state
          let effect = base.reduce(&state, action)
          let change = state == before ? " no change" : "\n\(difference(before, state))"
          print("\(label)\(describe(action)):\(change)")
          return effect
        })
    #else
      return ComposedReducer(base)
    #endif
  }
}
