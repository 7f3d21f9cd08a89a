extension Reducer {
  /// Prints each action and how it changed the state, line by line. A debugging aid: in a release
  /// build it does nothing.
  ///
  /// - Parameters:
  ///   - label: A prefix for each action.
  ///   - print: Prints a change. A program that draws on the terminal must pass a log here.
  public func _printChanges(
    _ label: String = "", to print: @escaping (String) -> Void = { Swift.print($0) }
  ) -> Reduce<State, Action> where State: Equatable {
    let base = erased()
    #if DEBUG
      return Reduce(prune: base.prune) { state, action in
        let before = state
        let effect = base.run(&state, action)
        let change = state == before ? " no change" : "\n\(difference(before, state))"
        print("\(label)\(describe(action)):\(change)")
        return effect
      }
    #else
      return base
    #endif
  }
}
