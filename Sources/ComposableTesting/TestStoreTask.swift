import Composable

/// A handle to everything that an action sent by a test started: its effects, the actions that they
/// send, and so on.
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

  /// Cancels everything that was started.
  public func cancel() async {
    task.cancel()
    settle()
  }

  /// Waits until everything has ended, and fails the test if it doesn't.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for work outside the store's executor; by default the store's
  ///     `timeout`.
  ///   - fileID: The module and file of the assertion.
  ///   - filePath: The path of the file.
  ///   - line: The line of the assertion.
  ///   - column: The column of the assertion.
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

  /// Whether everything has ended.
  public var isFinished: Bool { task.isFinished }
}
