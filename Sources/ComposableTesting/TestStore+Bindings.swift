public import Composable

extension TestStore where Action: BindableAction, Action.State == State {
  /// Bindings to the properties of the state, as the feature's controls use them.
  ///
  /// Assert a change made by a binding like an action sent by an effect:
  ///
  /// ```swift
  /// store.bindings.name.value = "Blob"
  /// await store.receive(.set(\.name, "Blob")) { $0.name = "Blob" }
  /// ```
  public var bindings: TestBindings<State, Action> { TestBindings(store: self) }
}

/// Bindings to the properties of a test store's state; see `TestStore.bindings`.
@MainActor
@dynamicMemberLookup
public struct TestBindings<State: Equatable, Action: BindableAction> where Action.State == State {
  let store: TestStore<State, Action>

  /// A binding that reads the current value of a property and sets it by sending an action.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: any WritableKeyPath<State, Value> & Sendable
  ) -> StoreBinding<Value> {
    StoreBinding { [store] in
      store.core.state[keyPath: keyPath]
    } set: { [store] value in
      Action.sendChange(keyPath, value, by: store.sendUnasserted, at: store.location)
    }
  }
}
