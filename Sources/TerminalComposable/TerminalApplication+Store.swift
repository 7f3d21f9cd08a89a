public import Composable
public import Terminal

extension TerminalApplication {
  /// Creates an application that shows a store, and draws the next frame when its state has changed.
  ///
  ///     let store = Store(initialState: CounterFeature.State()) { CounterFeature() }
  ///     try TerminalApplication(store: store, until: \.isFinished) { CounterView(store: $0) }
  ///       .run().endProcess()
  ///
  /// - Parameters:
  ///   - store: The store; the application keeps it.
  ///   - isFinished: Returns from the state whether the program is to end.
  ///   - rows: The number of lines below the prompt to show it in; `nil` for the full screen.
  ///   - erasesAtEnd: Whether these lines are removed at the end.
  ///   - theme: The appearance; `nil` for dark or light, as the terminal is.
  ///   - content: Returns the view of the store; called for each frame.
  public convenience init<State: Equatable, Action>(
    store: Store<State, Action>,
    until isFinished: @escaping @MainActor (State) -> Bool = { _ in false },
    inline rows: Int? = nil, erasesAtEnd: Bool = false, theme: Theme? = nil,
    content: @escaping @MainActor (Store<State, Action>) -> some View
  ) {
    let watch = Watch()
    let options = TerminalOptions(inlineRows: rows)
    self.init(
      device: TerminalDevice(options: options), theme: theme, erasesAtEnd: erasesAtEnd
    ) { _ in
      // The observation lasts as long as the application does.
      withExtendedLifetime(watch) { content(store) }
    }
    watch.token = store.observe { [weak self] in
      guard let self else { return }
      if store.withState(isFinished) { stop() } else { setNeedsDisplay() }
    }
  }
}

/// What an application keeps of its store.
@MainActor
private final class Watch {
  var token: ObservationToken?
}
