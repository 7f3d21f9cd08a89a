/// What a reducer asks of the world: work that may send actions back into the store.
///
/// An effect is a value. Nothing happens until a reducer returns it to its store, which then
/// registers it before the next action is reduced and starts it after that. So a cancellation in
/// the same turn always holds.
public struct Effect<Action: Sendable>: Sendable {
  @usableFromInline
  indirect enum Operation: Sendable {
    case send(Action)
    case run(RunOperation<Action>)
    case merge([Effect])
    case concatenate([Effect])
    case cancellable(Effect, id: CancelID, cancelInFlight: Bool)
    case cancel(CancelID)
    case child(ScopeKey, Effect)
    case throttle(Effect, id: CancelID, ThrottleRule)
    /// What an effect is, is only asked when its turn has come.
    case deferred(@MainActor @Sendable () -> Effect)
  }

  @usableFromInline let operation: Operation?

  /// Whether it does nothing.
  @inlinable
  var isNone: Bool { operation == nil }

  @inlinable
  init(_ operation: Operation?) {
    self.operation = operation
  }

  /// No effect.
  @inlinable
  public static var none: Self { Self(nil) }

  /// An action that is reduced after the current one and before `Store.send` returns.
  @inlinable
  public static func send(_ action: Action) -> Self { Self(.send(action)) }

  /// Work in a task of its own, which may send any number of actions.
  ///
  /// A thrown `CancellationError`, and anything thrown after cancellation, is silent. Another error
  /// goes to `catch`; without one it is reported as an issue at the place of the effect.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: The work. It begins on the main actor once the turn is over, and leaves it for
  ///     what it awaits elsewhere. Work that computes for long belongs into an `async` function.
  ///   - handler: What to do with an error.
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public static func run(
    priority: TaskPriority? = nil,
    operation:
      nonisolated(nonsending) @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler:
      (
        nonisolated(nonsending) @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void
      )? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    Self(
      .run(
        RunOperation(
          priority: priority, operation: operation, handler: handler,
          dependencies: .current,
          location: IssueLocation(
            fileID: fileID, filePath: filePath, line: line, column: column))))
  }

  /// All effects at the same time. What they send at once is reduced in the order given, breadth
  /// first.
  public static func merge(_ effects: Self...) -> Self { merge(effects) }

  /// All effects at the same time. What they send at once is reduced in the order given, breadth
  /// first.
  public static func merge(_ effects: some Sequence<Self>) -> Self {
    let working = effects.filter { $0.operation != nil }
    return switch working.count {
    case 0: .none
    case 1: working[0]
    default: Self(.merge(working))
    }
  }

  /// One effect after the other, each started when the one before has ended.
  public static func concatenate(_ effects: Self...) -> Self { concatenate(effects) }

  /// One effect after the other, each started when the one before has ended.
  public static func concatenate(_ effects: some Sequence<Self>) -> Self {
    let working = effects.filter { $0.operation != nil }
    return switch working.count {
    case 0: .none
    case 1: working[0]
    default: Self(.concatenate(working))
    }
  }

  /// This effect and another at the same time.
  public func merge(with other: Self) -> Self { .merge([self, other]) }

  /// This effect and then another.
  public func concatenate(with other: Self) -> Self { .concatenate([self, other]) }

  /// The same work, sending actions of another type.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Mapped
  ) -> Effect<Mapped> {
    guard let operation else { return .none }
    switch operation {
    case .send(let action): return .send(transform(action))
    case .run(let run): return Effect<Mapped>(.run(run.map(transform)))
    case .merge(let effects): return Effect<Mapped>(.merge(effects.map { $0.map(transform) }))
    case .concatenate(let effects):
      return Effect<Mapped>(.concatenate(effects.map { $0.map(transform) }))
    case .cancellable(let effect, let id, let cancelInFlight):
      return Effect<Mapped>(
        .cancellable(effect.map(transform), id: id, cancelInFlight: cancelInFlight))
    case .cancel(let id): return Effect<Mapped>(.cancel(id))
    case .child(let key, let effect): return Effect<Mapped>(.child(key, effect.map(transform)))
    case .throttle(let effect, let id, let rule):
      return Effect<Mapped>(.throttle(effect.map(transform), id: id, rule))
    case .deferred(let effect): return Effect<Mapped>(.deferred { effect().map(transform) })
    }
  }
}
