extension Effect {
  /// Performs one request and sends its result, a value or an error, as an action.
  ///
  /// ```swift
  /// case .saveButtonTapped:
  ///   return .request(Action.saved, or: Action.saveFailed) { [draft = state.draft] () throws(ClientError) in
  ///     try await userClient.update(draft)
  ///   }
  /// ```
  ///
  /// `dismiss` waits for the result. An error calls the dismissal off, so that the user sees it.
  ///
  /// - Parameters:
  ///   - succeeded: Makes the action that reports the value.
  ///   - failed: Makes the action that reports the error.
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
    makeRequest(
      succeeded, or: failed, priority: priority, operation, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Makes `dismiss` wait until this effect has ended, or not wait, for example for a request that
  /// only reads.
  public func holdingDismissal(_ isHolding: Bool = true) -> Self {
    mapRuns { run in
      var run = run
      run.holdsDismissal = isHolding
      return run
    }
  }

  /// Performs one request and sends an action when it is done, or its error.
  ///
  /// - Parameters:
  ///   - succeeded: The action to send when the request is done.
  ///   - failed: Makes the action that reports the error.
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

  /// Performs one request and sends an action only for an error. Use it if a success becomes
  /// visible through observation anyway.
  ///
  /// - Parameters:
  ///   - failed: Makes the action that reports the error.
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
    makeRequest(
      { nil }, or: failed, priority: priority, operation, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  private static func makeRequest<Value, Failure: Error>(
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

  /// Dismisses the presented child that returns this effect, as `\.dismiss` does.
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
