/// Builds a view from the statements of a closure. The views are moved, not copied.
@MainActor
@resultBuilder
public enum ViewBuilder {
  /// Builds an empty view from an empty closure.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// Starts with the first statement.
  public static func buildPartialBlock<Content: View>(first: consuming Content) -> Content {
    first
  }

  /// Appends a further statement.
  public static func buildPartialBlock<First: View, Second: View>(
    accumulated: consuming First, next: consuming Second
  ) -> PairView<First, Second> {
    PairView(first: accumulated, second: next)
  }

  /// Passes a view through.
  public static func buildExpression<Content: View>(_ content: consuming Content) -> Content {
    content
  }

  /// Builds an `if` without `else`.
  public static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }

  /// Builds the first branch of an `if` or `switch`.
  public static func buildEither<First: View, Second: View>(
    first: consuming First
  ) -> EitherView<First, Second> {
    .first(first)
  }

  /// Builds the second branch of an `if` or `switch`.
  public static func buildEither<First: View, Second: View>(
    second: consuming Second
  ) -> EitherView<First, Second> {
    .second(second)
  }

  /// Rejects `for` loops: the compiler (Swift 6.3) can't infer the loop's type if it contains a
  /// view of an opaque type, as most modifiers return.
  @available(*, unavailable, message: "Write ForEach(…) { … } instead of a for loop.")
  public static func buildArray<Content: View>(_ views: [Content]) -> EmptyView { EmptyView() }

  /// Builds an `if #available`.
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> Content {
    content
  }
}

/// A view that takes no space, not even spacing.
public struct EmptyView: PrimitiveView {
  /// Creates an empty view.
  public init() {}
  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {}
}

/// Two views in sequence, laid out by their container. More than two views are nested pairs.
public struct PairView<First: View, Second: View>: PrimitiveView {
  let first: First
  let second: Second

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    first.build(in: tree)
    second.build(in: tree)
  }
}

/// One of two views.
public enum EitherView<First: View, Second: View>: PrimitiveView {
  /// The view of the first branch.
  case first(First)
  /// The view of the other branch.
  case second(Second)

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    switch self {
    case .first(let view): view.build(in: tree)
    case .second(let view): view.build(in: tree)
    }
  }
}

extension Optional: View where Wrapped: View {
  /// Optional views are primitive.
  public typealias Body = Never
  /// Unavailable: optional views are primitive.
  public var body: Never { fatalError("Optional is drawn by itself and has no body.") }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    self?.build(in: tree)
  }
}

extension Optional: PrimitiveView where Wrapped: View {}

/// Several views treated as one, so that they can be modified together. A modifier that needs a
/// single view stacks them.
public struct Group<Content: View>: PrimitiveView {
  private let content: Content

  /// - Parameter content: The views.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    content.build(in: tree)
  }
}

/// A type-erased view, for collections of different views.
public struct AnyView: PrimitiveView {
  private let view: any View

  /// Erases the type of a view.
  public init(_ view: any View) {
    self.view = view
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    view.build(in: tree)
  }
}
