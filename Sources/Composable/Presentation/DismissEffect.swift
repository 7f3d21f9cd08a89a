/// Lets a presented child take itself away: `@Dependency(\.dismiss) var dismiss`, and in an effect
/// `await dismiss()`.
///
/// The parent receives `.dismiss`, as if it had closed the child itself. The child's effects are
/// cancelled by that, the calling one, too. A request of the child has its answer first; if that is an
/// error, the child stays.
public struct DismissEffect: Sendable {
  private typealias Dismiss = nonisolated(nonsending) @Sendable () async -> Void

  private enum Way: Sendable {
    /// By who presents the effect that calls it.
    case presenter
    /// By who presents the effect that calls it; if nobody does, by this.
    case presenterOr(Dismiss)
    /// By this.
    case replaced(Dismiss)
  }

  private let way: Way

  /// Replaces the dismissal, for a test of a child without its parent.
  public init(_ operation: nonisolated(nonsending) @escaping @Sendable () async -> Void) {
    way = .replaced(operation)
  }

  private init(way: Way) { self.way = way }

  /// Dismisses whatever presents the effect that calls it.
  fileprivate static let byPresenter = Self(way: .presenter)

  /// Dismisses whatever presents the effect that calls it, or else the feature at the root.
  package static func byPresenter(
    orRoot dismissRoot: nonisolated(nonsending) @escaping @Sendable () async -> Void
  ) -> Self {
    Self(way: .presenterOr(dismissRoot))
  }

  /// Dismisses the child. Called from an effect of the child.
  public nonisolated(nonsending) func callAsFunction(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    switch (way, Dismissal.current) {
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
  /// Lets a presented child take itself away.
  public var dismiss: DismissEffect {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  private enum DismissKey: DependencyKey {
    static let liveValue = DismissEffect.byPresenter
    static let testValue = DismissEffect.byPresenter
  }
}

/// What dismisses the child whose effect runs.
///
/// A struct, since a task-local value whose type is a function crashes an optimised, statically
/// linked program (Swift 6.3.1): the function's metadata is not found at run time.
struct Dismissal: Sendable {
  @TaskLocal static var current: Dismissal?

  let perform: nonisolated(nonsending) @Sendable () async -> Void
  /// Calls off what waits.
  let callOff: nonisolated(nonsending) @Sendable () async -> Void
}

extension RunOperation {
  /// This work of a presented child, which `dismiss` ends by an action.
  func dismissing(by action: Action, of presenter: NodeIdentity) -> Self {
    // An inner presentation is nearer, and has already said how it is dismissed.
    guard dismissal == nil else { return self }
    var copy = self
    copy.dismissal = (action, presenter)
    return copy
  }
}
