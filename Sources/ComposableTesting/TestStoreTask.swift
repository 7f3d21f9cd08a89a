import Composable

/// What an action, sent by a test, has started: its effects, the actions that they send, and their
/// effects.
@MainActor
public struct TestStoreTask {
  private let task: StoreTask
  private let settle: () -> Void
  private let wait: @MainActor (Duration?) async -> Void

  init<State, Action>(task: StoreTask, store: TestStore<State, Action>) {
    self.task = task
    settle = { [weak store] in store?.settle() }
    wait = { [weak store] timeout in
      guard let store else { return }
      await store.wait(atMost: timeout ?? store.timeout) { task.isFinished }
    }
  }

  /// Ends all of it.
  public func cancel() async {
    task.cancel()
    settle()
  }

  /// Waits until all of it has ended; it is a failure if it does not.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for what runs outside; the store's `timeout` if left out.
  ///   - fileID: The module and file of the assertion.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public func finish(
    timeout: Duration? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    await wait(timeout)
    guard !task.isFinished else { return }
    reportIssue(
      """
      The effects of an action were expected to end, but they still run.

      If one sleeps on a `TestClock`, advance the clock first. If one runs until it is cancelled, \
      `cancel` the task.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool { task.isCancelled }

  /// Whether all of it has ended.
  public var isFinished: Bool { task.isFinished }
}
