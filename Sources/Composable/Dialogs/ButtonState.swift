/// What pressing a button means for its dialog.
public enum ButtonRole: Hashable, Sendable, Codable {
  /// It leaves everything as it is.
  case cancel
  /// It destroys something.
  case destructive
}

/// A button of a dialog, as a value.
public struct ButtonState<Action> {
  /// What the button means; `nil` for an ordinary button.
  public var role: ButtonRole?
  /// What it sends; `nil` if it only closes the dialog.
  public var action: Action?
  /// What it says.
  public var label: TextState

  /// Makes a button.
  public init(role: ButtonRole? = nil, action: Action? = nil, label: () -> TextState) {
    self.role = role
    self.action = action
    self.label = label()
  }

  /// A button that leaves everything as it is.
  public static func cancel(_ label: TextState, action: Action? = nil) -> Self {
    Self(role: .cancel, action: action) { label }
  }

  /// A button that destroys something.
  public static func destructive(_ label: TextState, action: Action? = nil) -> Self {
    Self(role: .destructive, action: action) { label }
  }

  /// An ordinary button.
  public static func `default`(_ label: TextState, action: Action? = nil) -> Self {
    Self(action: action) { label }
  }

  /// The same button with another action.
  public func map<Mapped>(_ transform: (Action) -> Mapped) -> ButtonState<Mapped> {
    ButtonState<Mapped>(role: role, action: action.map(transform)) { label }
  }
}

extension ButtonState: Equatable where Action: Equatable {}
extension ButtonState: Hashable where Action: Hashable {}
extension ButtonState: Sendable where Action: Sendable {}

/// Collects the buttons of a dialog.
@resultBuilder
public enum ButtonStateBuilder<Action> {
  /// One button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  /// Buttons one after the other.
  public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// Buttons that may be missing.
  public static func buildOptional(_ buttons: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    buttons ?? []
  }

  /// The buttons of the first branch.
  public static func buildEither(first buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// The buttons of the second branch.
  public static func buildEither(second buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// The buttons of a loop.
  public static func buildArray(_ buttons: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }
}
