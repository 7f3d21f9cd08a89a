extension Effect {
  /// Asks the world for one thing and sends what came of it.
  ///
  /// ```swift
  /// case .saveButtonTapped:
  ///   return .request(Action.saved, or: Action.saveFailed) { [draft = state.draft] () throws(ClientError) in
  ///     try await userClient.update(draft)
  ///   }
  /// ```
  ///
  /// `dismiss` waits for the answer; if that is an error, it is called off, so that the error is seen.
  ///
  /// - Parameters:
  ///   - succeeded: The action for the answer.
  ///   - failed: The action for the error.
  ///   - priority: The priority of the task.
  ///   - operation: The work.
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public static func request<Value, Failure: Error>(
    _ succeeded: @escaping @Sendable (Value) -> Action,
    or failed: @escaping @Sendable (Failure) -> Action,
    priority: TaskPriority? = nil,
    _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Value,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    asking(
      succeeded, or: failed, priority: priority, operation, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Lets `dismiss` wait until this is over, or not wait for it, as for a request that only reads.
  public func holdingDismissal(_ isHolding: Bool = true) -> Self {
    mapRuns { run in
      var run = run
      run.holdsDismissal = isHolding
      return run
    }
  }

  /// Asks the world to do one thing and sends that it is done, or why it is not.
  ///
  /// - Parameters:
  ///   - succeeded: The action for what is done.
  ///   - failed: The action for the error.
  ///   - priority: The priority of the task.
  ///   - operation: The work.
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public static func request<Failure: Error>(
    _ succeeded: Action, or failed: @escaping @Sendable (Failure) -> Action,
    priority: TaskPriority? = nil,
    _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Void,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    .request(
      { (_: Void) in succeeded }, or: failed, priority: priority, operation, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Asks the world to do one thing and sends only why it is not done: that it is, what observes it says.
  ///
  /// - Parameters:
  ///   - failed: The action for the error.
  ///   - priority: The priority of the task.
  ///   - operation: The work.
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public static func request<Failure: Error>(
    or failed: @escaping @Sendable (Failure) -> Action,
    priority: TaskPriority? = nil,
    _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Void,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    asking(
      { nil }, or: failed, priority: priority, operation, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  private static func asking<Value, Failure: Error>(
    _ succeeded: @escaping @Sendable (Value) -> Action?,
    or failed: @escaping @Sendable (Failure) -> Action, priority: TaskPriority?,
    _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Value,
    fileID: String, filePath: String, line: Int, column: Int
  ) -> Self {
    .run(
      priority: priority,
      operation: { send in
        do throws(Failure) {
          if let answer = succeeded(try await operation()) { await send(answer) }
        } catch {
          if !Task.isCancelled { await Dismissal.current?.callOff() }
          await send(failed(error))
        }
      }, fileID: fileID, filePath: filePath, line: line, column: column
    ).holdingDismissal()
  }

  /// Takes the presented child away that returns it, as `\.dismiss` does.
  ///
  /// - Parameters:
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public static func dismiss(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    .run(
      operation: { _ in
        @Dependency(\.dismiss) var dismiss
        await dismiss(fileID: fileID, filePath: filePath, line: line, column: column)
      }, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
