/// Applies the changes of binding actions to the state. Write it before the feature's own `Reduce`,
/// which then sees the new values.
public struct BindingReducer<State, Action: BindableAction>: Reducer where Action.State == State {
  /// Has no body.
  public typealias Body = Never

  /// Creates the reducer.
  public init() {}

  /// Applies the change, if the action is one.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Action.bindingCase.extract(from: action)?.apply(to: &state)
    return .none
  }
}

extension Store where Action: BindableAction, Action.State == State {
  /// Returns a binding that lets a control read and set a property.
  public func binding<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> StoreBinding<Value> {
    StoreBinding {
      self.withState { $0[keyPath: keyPath] }
    } set: {
      Action.sendChange(
        keyPath, $0, by: self.send,
        at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }
}

/// A binding that lets a control read a value of a store and set it by sending an action.
@MainActor
public struct StoreBinding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Creates a binding from a getter and a setter.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The value.
  public var value: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}
