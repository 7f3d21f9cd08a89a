/// Dismisses a presented child from one of its own effects: call `await dismiss()`, with
/// `@Dependency(\.dismiss) var dismiss`.
///
/// The parent receives `.dismiss`, as if it had closed the child itself. That cancels the child's
/// effects, including the calling one. A request of the child is answered first; if it fails, the
/// child stays.
public struct DismissEffect: Sendable {
  private typealias Dismiss = nonisolated(nonsending) @Sendable () async -> Void

  private enum Target: Sendable {
    /// Through the operator that presents the calling effect.
    case presenter
    /// Through the operator that presents the calling effect, or through this function if there is
    /// none.
    case presenterOr(Dismiss)
    /// Through this function.
    case replaced(Dismiss)
  }

  private let target: Target

  /// Creates a replacement, for a test of a child without its parent.
  public init(_ operation: nonisolated(nonsending) @escaping @Sendable () async -> Void) {
    target = .replaced(operation)
  }

  private init(target: Target) { self.target = target }

  /// Dismisses the child that the calling effect belongs to.
  fileprivate static let byPresenter = Self(target: .presenter)

  /// Dismisses the child that the calling effect belongs to, or the feature at the root.
  package static func byPresenter(
    orRoot dismissRoot: nonisolated(nonsending) @escaping @Sendable () async -> Void
  ) -> Self {
    Self(target: .presenterOr(dismissRoot))
  }

  /// Dismisses the child. Call it from an effect of the child.
  public nonisolated(nonsending) func callAsFunction(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    switch (target, Dismissal.current) {
    case (.replaced(let dismiss), _): await dismiss()
    case (_, let dismissal?): await dismissal.perform()
    case (.presenterOr(let dismiss), nil): await dismiss()
    case (.presenter, nil):
      reportIssue(
        """
        A child that is not presented was asked to dismiss itself.

        Call `dismiss` in an effect of a child that an `ifLet` presents or that is on a stack.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension DependencyValues {
  /// Dismisses a presented child from one of its own effects.
  public var dismiss: DismissEffect {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  private enum DismissKey: DependencyKey {
    static let liveValue = DismissEffect.byPresenter
    static let testValue = DismissEffect.byPresenter
  }
}

/// The dismissal of the child whose effect is running.
///
/// A struct, because a task-local value whose type is a function crashes an optimised, statically
/// linked program (Swift 6.3.1): the function's metadata isn't found at run time.
struct Dismissal: Sendable {
  @TaskLocal static var current: Dismissal?

  let perform: nonisolated(nonsending) @Sendable () async -> Void
  /// Calls off a dismissal that is still waiting.
  let callOff: nonisolated(nonsending) @Sendable () async -> Void
}

extension RunOperation {
  /// Returns this work of a presented child with the action that `dismiss` sends.
  func dismissing(by action: Action, of presenter: OperatorID) -> Self {
    // An inner presentation takes precedence, and has already set its dismissal.
    guard dismissal == nil else { return self }
    var copy = self
    copy.dismissal = (action, presenter)
    return copy
  }
}
