public import Composable

extension TestStore where Action: BindableAction, Action.State == State {
  /// What the feature's controls are given, to read and to set the properties of the state.
  ///
  /// What a control sets is asserted as what an effect sends:
  ///
  /// ```swift
  /// store.bindings.name.value = "Blob"
  /// await store.receive(.set(\.name, "Blob")) { $0.name = "Blob" }
  /// ```
  public var bindings: TestBindings<State, Action> { TestBindings(store: self) }
}

/// The properties of a test store's state, each as a control is given it: see `TestStore.bindings`.
@MainActor
@dynamicMemberLookup
public struct TestBindings<State: Equatable, Action: BindableAction> where Action.State == State {
  let store: TestStore<State, Action>

  /// A way to read a property as it is now, and to set it by an action.
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
