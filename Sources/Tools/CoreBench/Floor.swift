/// The minimal store: a handwritten loop that buffers what is sent while it runs. Whatever a case
/// costs beyond this is the price of the core's other guarantees.
@MainActor
final class Floor<State, Action> {
  private(set) var state: State
  private let reduce: (inout State, Action) -> Void
  private var buffer: [Action] = []
  private var isReducing = false

  init(_ state: State, reduce: @escaping (inout State, Action) -> Void) {
    self.state = state
    self.reduce = reduce
  }

  @inline(never)
  func send(_ action: Action) {
    buffer.append(action)
    guard !isReducing else { return }
    isReducing = true
    defer { isReducing = false }
    var index = 0
    while index < buffer.count {
      reduce(&state, buffer[index])
      index += 1
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

extension Leaf {
  /// Does what `Leaf` does, without the core.
  static func count(_ state: inout State, _ action: Action) {
    if case .increment = action { state.count += 1 }
  }
}
