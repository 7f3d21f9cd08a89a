extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// What a task hands over. The stream ends with the task, and the task with who reads it.
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

  /// Each element, changed; of several that nobody has read yet the newest.
  package func newest(_ change: @escaping @Sendable (Element) -> Element) -> Self {
    .ofTask(bufferingPolicy: .bufferingNewest(1)) { continuation in
      for try await element in self { continuation.yield(change(element)) }
    }
  }
}
