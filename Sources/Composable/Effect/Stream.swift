extension Effect {
  /// Sends an action for each element of an asynchronous sequence, until the sequence ends or the
  /// effect is cancelled.
  ///
  /// ```swift
  /// case .task: return .stream(client.changes()) { .changed($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - sequence: The sequence, created in the effect's task.
  ///   - priority: The priority of the task.
  ///   - transform: Makes an element's action.
  ///   - handler: Called with an error that the sequence throws. Without it, an error is reported
  ///     as an issue.
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public static func stream<Elements: AsyncSequence & SendableMetatype>(
    _ sequence: @autoclosure @escaping @Sendable () -> Elements,
    priority: TaskPriority? = nil,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch handler:
      (
        nonisolated(nonsending) @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void
      )? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self where Elements.AsyncIterator: SendableMetatype {
    run(
      priority: priority,
      operation: { send in
        for try await element in sequence() { await send(transform(element)) }
      },
      catch: handler, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
