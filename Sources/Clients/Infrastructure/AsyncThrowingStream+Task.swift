extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Creates a stream of what a task yields. The stream ends with the task, and the task is
  /// cancelled when the stream's consumer stops.
  package static func ofTask(
    bufferingPolicy: Continuation.BufferingPolicy = .unbounded,
    _ body: @escaping @Sendable (Continuation) async throws -> Void
  ) -> Self {
    Self(bufferingPolicy: bufferingPolicy) { continuation in
      let task = Task {
        do {
          try await body(continuation)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns a stream of changed elements that buffers only the newest.
  package func newest(_ change: @escaping @Sendable (Element) -> Element) -> Self {
    .ofTask(bufferingPolicy: .bufferingNewest(1)) { continuation in
      for try await element in self { continuation.yield(change(element)) }
    }
  }
}
