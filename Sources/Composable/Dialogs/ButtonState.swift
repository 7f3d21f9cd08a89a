/// The role of a button in its dialog.
public enum ButtonRole: Hashable, Sendable, Codable {
  /// A button that leaves everything as it is.
  case cancel
  /// A button that destroys something.
  case destructive
}

/// A button of a dialog, as a value.
public struct ButtonState<Action> {
  /// The role of the button; `nil` for an ordinary button.
  public var role: ButtonRole?
  /// The action that the button sends; `nil` if it only closes the dialog.
  public var action: Action?
  /// The text of the button.
  public var label: TextState

  /// Creates a button.
  public init(role: ButtonRole? = nil, action: Action? = nil, label: () -> TextState) {
    self.role = role
    self.action = action
    self.label = label()
  }

  /// Returns a button that leaves everything as it is.
  public static func cancel(_ label: TextState, action: Action? = nil) -> Self {
    Self(role: .cancel, action: action) { label }
  }

  /// Returns a button that destroys something.
  public static func destructive(_ label: TextState, action: Action? = nil) -> Self {
    Self(role: .destructive, action: action) { label }
  }

  /// Returns an ordinary button.
  public static func `default`(_ label: TextState, action: Action? = nil) -> Self {
    Self(action: action) { label }
  }

  /// Returns the same button with another action.
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
  /// Accepts one button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  /// Builds a list of buttons.
  public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// Builds an `if` without `else`.
  public static func buildOptional(_ buttons: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    buttons ?? []
  }

  /// Builds the first branch of an `if`.
  public static func buildEither(first buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// Builds the second branch of an `if`.
  public static func buildEither(second buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// Builds a loop.
  public static func buildArray(_ buttons: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }
}
