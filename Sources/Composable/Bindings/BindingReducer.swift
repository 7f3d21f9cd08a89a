/// Sets the properties that binding actions change. Write it before the feature's own `Reduce`, so
/// that this sees the new values.
public struct BindingReducer<State, Action: BindableAction>: Reducer where Action.State == State {
  /// It has no body.
  public typealias Body = Never

  /// Makes the reducer.
  public init() {}

  /// Sets the property, if the action is a change of one.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Action.bindingCase.extract(from: action)?.apply(to: &state)
    return .none
  }
}

extension Store where Action: BindableAction, Action.State == State {
  /// A way to read and to set a property, for a control.
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

/// A way for a control to read a value of a store and to set it by an action.
@MainActor
public struct StoreBinding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Makes a binding of two functions.
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
