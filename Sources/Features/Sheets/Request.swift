import Composable
import Domain
import Terminal

/// A request that a feature makes: whether it runs, and why it failed.
struct Request<Action: Codable & Equatable & Sendable>: Equatable, Sendable {
  var isRunning = false
  var failure: Failure<Action>?

  /// Notes that it runs, and forgets how the last one failed.
  mutating func begin() { self = Self(isRunning: true) }

  /// Notes that it has succeeded.
  mutating func end() { isRunning = false }

  /// Notes that it has failed.
  /// - Parameter retry: The action that repeats it, or `nil` if its key is on the screen anyway.
  mutating func fail(_ error: ErrorText, retry: Action? = nil) {
    self = Self(failure: Failure(error, retry: retry))
  }
}

/// An error that a feature shows until the person dismisses it.
struct Failure<Action: Codable & Equatable & Sendable>: Equatable, Sendable {
  var error: ErrorText
  /// The action that repeats what failed, or `nil` if its key is on the screen anyway.
  var retry: Action?

  init(_ error: ErrorText, retry: Action? = nil) {
    self.error = error
    self.retry = retry
  }
}

/// How a request failed, or that it runs.
struct RequestView<State, Action: Codable & Equatable & Sendable>: View {
  private let request: Request<Action>
  private let store: Store<State, Action>
  private let progress: String
  private let retry: ErrorView.Retry?
  private let dismiss: Action

  /// - Parameters:
  ///   - progress: What is being done, such as `Saving`.
  ///   - retry: How it is repeated if the failure doesn't say.
  ///   - dismiss: The action that removes the failure.
  init(
    _ request: Request<Action>, _ store: Store<State, Action>, progress: String,
    retry: ErrorView.Retry? = nil, dismiss: Action
  ) {
    self.request = request
    self.store = store
    self.progress = progress
    self.retry = retry
    self.dismiss = dismiss
  }

  var body: some View {
    if let failure = request.failure {
      ErrorView(failure, store, retry: retry, dismiss: dismiss)
    } else if request.isRunning {
      ProgressView(progress)
    }
  }
}
