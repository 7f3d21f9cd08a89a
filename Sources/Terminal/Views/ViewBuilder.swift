/// Makes a view of the statements in a closure. The views are taken over, not copied.
@MainActor
@resultBuilder
public enum ViewBuilder {
  /// No statement makes no view.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// The first statement.
  public static func buildPartialBlock<Content: View>(first: consuming Content) -> Content {
    first
  }

  /// Each further statement follows those before it.
  public static func buildPartialBlock<First: View, Second: View>(
    accumulated: consuming First, next: consuming Second
  ) -> PairView<First, Second> {
    PairView(first: accumulated, second: next)
  }

  /// A statement is a view.
  public static func buildExpression<Content: View>(_ content: consuming Content) -> Content {
    content
  }

  /// An `if` without `else`.
  public static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }

  /// A branch of an `if` or a `switch`.
  public static func buildEither<First: View, Second: View>(
    first: consuming First
  ) -> EitherView<First, Second> {
    .first(first)
  }

  /// A branch of an `if` or a `switch`.
  public static func buildEither<First: View, Second: View>(
    second: consuming Second
  ) -> EitherView<First, Second> {
    .second(second)
  }

  /// A `for` loop is not understood: the compiler cannot infer its type once a view in it is one that
  /// only `some View` is known of, as after most modifiers (Swift 6.3).
  @available(*, unavailable, message: "Write ForEach(…) { … } instead of a for loop.")
  public static func buildArray<Content: View>(_ views: [Content]) -> EmptyView { EmptyView() }

  /// An `if #available`.
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> Content {
    content
  }
}

/// Nothing: takes no room, not even spacing.
public struct EmptyView: PrimitiveView {
  /// Makes nothing.
  public init() {}
  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {}
}

/// Two views, one after the other; whatever holds them decides how they stand. More views are pairs
/// of pairs.
public struct PairView<First: View, Second: View>: PrimitiveView {
  let first: First
  let second: Second

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    first.build(in: tree)
    second.build(in: tree)
  }
}

/// One of two views.
public enum EitherView<First: View, Second: View>: PrimitiveView {
  case first(First)
  case second(Second)

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    switch self {
    case .first(let view): view.build(in: tree)
    case .second(let view): view.build(in: tree)
    }
  }
}

extension Optional: View where Wrapped: View {
  /// It adds itself to the tree.
  public typealias Body = Never
  /// There is none: it adds itself to the tree.
  public var body: Never { fatalError("Optional is drawn by itself and has no body.") }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    self?.build(in: tree)
  }
}

extension Optional: PrimitiveView where Wrapped: View {}

/// Several views as one, to modify them together: a modifier that needs one view stacks them.
public struct Group<Content: View>: PrimitiveView {
  private let content: Content

  /// - Parameter content: The views.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    content.build(in: tree)
  }
}

/// A view whose type is not known outside, for collections of different views.
public struct AnyView: PrimitiveView {
  private let view: any View

  /// Hides the type of a view.
  public init(_ view: any View) {
    self.view = view
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    view.build(in: tree)
  }
}
