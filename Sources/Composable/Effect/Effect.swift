/// Work that a reducer asks its store to do, and that can send actions back into the store.
///
/// An effect is a value. Nothing happens until a reducer returns it to its store, which registers
/// it before reducing the next action and starts it after that. A cancellation in the same turn
/// therefore always takes effect.
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
    /// An effect that is made only when it is about to start.
    case deferred(@MainActor @Sendable () -> Effect)
  }

  @usableFromInline let operation: Operation?

  /// Whether this effect does nothing.
  @inlinable
  var isNone: Bool { operation == nil }

  @inlinable
  init(_ operation: Operation?) {
    self.operation = operation
  }

  /// No effect.
  @inlinable
  public static var none: Self { Self(nil) }

  /// Sends an action that is reduced after the current one and before `Store.send` returns.
  @inlinable
  public static func send(_ action: Action) -> Self { Self(.send(action)) }

  /// Runs work in a new task. The work can send any number of actions.
  ///
  /// A thrown `CancellationError`, and anything thrown after cancellation, is ignored. Any other
  /// error goes to `catch`; without a handler it is reported as an issue at the place of the
  /// effect.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: The work. It begins on the main actor once the turn is over, and leaves it only
  ///     while it awaits something that runs elsewhere. Put long computations into an `async`
  ///     function.
  ///   - handler: Called with an error that the work throws.
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

  /// Runs all effects at the same time. Actions that they send synchronously are reduced in the
  /// order given, breadth first.
  public static func merge(_ effects: Self...) -> Self { merge(effects) }

  /// Runs all effects at the same time. Actions that they send synchronously are reduced in the
  /// order given, breadth first.
  public static func merge(_ effects: some Sequence<Self>) -> Self {
    let working = effects.filter { $0.operation != nil }
    return switch working.count {
    case 0: .none
    case 1: working[0]
    default: Self(.merge(working))
    }
  }

  /// Runs the effects one after the other. Each starts when the one before it has ended.
  public static func concatenate(_ effects: Self...) -> Self { concatenate(effects) }

  /// Runs the effects one after the other. Each starts when the one before it has ended.
  public static func concatenate(_ effects: some Sequence<Self>) -> Self {
    let working = effects.filter { $0.operation != nil }
    return switch working.count {
    case 0: .none
    case 1: working[0]
    default: Self(.concatenate(working))
    }
  }

  /// Runs this effect and another at the same time.
  public func merge(with other: Self) -> Self { .merge([self, other]) }

  /// Runs this effect and then another.
  public func concatenate(with other: Self) -> Self { .concatenate([self, other]) }

  /// Returns the same work, sending actions of another type.
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
