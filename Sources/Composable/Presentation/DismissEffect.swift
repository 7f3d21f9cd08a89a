/// Lets a presented child take itself away: `@Dependency(\.dismiss) var dismiss`, and in an effect
/// `await dismiss()`.
///
/// The parent receives `.dismiss`, as if it had closed the child itself. The child's effects are
/// cancelled by that, the calling one, too.
public struct DismissEffect: Sendable {
  private let operation: (nonisolated(nonsending) @Sendable () async -> Void)?

  /// Replaces the dismissal, for a test of a child without its parent.
  public init(_ operation: nonisolated(nonsending) @escaping @Sendable () async -> Void) {
    self.operation = operation
  }

  /// Dismisses whatever presents the effect that calls it.
  fileprivate init() {
    operation = nil
  }

  /// Dismisses the child. Called from an effect of the child.
  public nonisolated(nonsending) func callAsFunction(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    if let operation {
      await operation()
    } else if let dismissal = Dismissal.current {
      await dismissal.perform()
    } else {
      reportIssue(
        """
        A child that is not presented was asked to dismiss itself.

        Call `dismiss` in an effect of a child that an `ifLet` presents. In a test of the child \
        alone, override it: `$0.dismiss = DismissEffect { … }`.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension DependencyValues {
  /// Lets a presented child take itself away.
  public var dismiss: DismissEffect {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  private enum DismissKey: DependencyKey {
    static let liveValue = DismissEffect()
    static let testValue = DismissEffect()
  }
}

/// What dismisses the child whose effect runs.
///
/// A struct, since a task-local value whose type is a function crashes an optimised, statically
/// linked program (Swift 6.3.1): the function's metadata is not found at run time.
struct Dismissal: Sendable {
  @TaskLocal static var current: Dismissal?

  let perform: nonisolated(nonsending) @Sendable () async -> Void
}

extension RunOperation {
  /// This work of a presented child, which `dismiss` ends by an action.
  func dismissing(by action: Action) -> Self {
    // An inner presentation is nearer, and has already said how it is dismissed.
    guard dismissal == nil else { return self }
    var copy = self
    copy.dismissal = action
    return copy
  }
}
