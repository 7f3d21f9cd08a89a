/// An alert dialog, as a value in the state.
///
/// ```swift
/// @Presents var alert: AlertState<Action.Alert>?
/// …
/// state.alert = AlertState {
///   TextState("Remove \(name)?")
/// } actions: {
///   ButtonState.destructive("Remove", action: .removalConfirmed)
///   ButtonState.cancel("Keep")
/// } message: {
///   TextState("\(name) isn't notified.")
/// }
/// …
/// .ifLet(\.$alert, action: Action.alertCase)
/// ```
///
/// Any button closes the alert, after the parent has handled the button's action.
public struct AlertState<Action> {
  /// The title.
  public var title: TextState
  /// The message below the title.
  public var message: TextState?
  /// The buttons, in order. A view adds a closing button to an alert without buttons.
  public var buttons: [ButtonState<Action>]

  /// Creates an alert.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// Returns the same alert with other actions.
  public func map<Mapped>(_ transform: (Action) -> Mapped) -> AlertState<Mapped> {
    var alert = AlertState<Mapped> { title }
    alert.message = message
    alert.buttons = buttons.map { $0.map(transform) }
    return alert
  }
}

extension AlertState: Equatable where Action: Equatable {}
extension AlertState: Hashable where Action: Hashable {}
extension AlertState: Sendable where Action: Sendable {}

/// A dialog that offers several choices, as a value in the state.
///
/// Use it like `AlertState`. A view shows the choices as a list.
public struct ConfirmationDialogState<Action> {
  /// The title.
  public var title: TextState
  /// The message below the title.
  public var message: TextState?
  /// The choices, in order.
  public var buttons: [ButtonState<Action>]

  /// Creates a dialog.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>],
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// Returns the same dialog with other actions.
  public func map<Mapped>(_ transform: (Action) -> Mapped) -> ConfirmationDialogState<Mapped> {
    var dialog = ConfirmationDialogState<Mapped>(title: { title }, actions: {})
    dialog.message = message
    dialog.buttons = buttons.map { $0.map(transform) }
    return dialog
  }
}

extension ConfirmationDialogState: Equatable where Action: Equatable {}
extension ConfirmationDialogState: Hashable where Action: Hashable {}
extension ConfirmationDialogState: Sendable where Action: Sendable {}

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

/// Text in a state: a title, a message or a button's label. A reducer can create it and a test can
/// compare it; a view decides how it looks.
public struct TextState: Hashable, Sendable, Codable {
  /// The text.
  public var text: String

  /// Creates text from a string.
  public init(_ text: some StringProtocol) { self.text = String(text) }

  /// Returns two texts joined together.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.text + rhs.text) }
}

extension TextState: ExpressibleByStringInterpolation {
  /// Creates text from a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

extension TextState: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension TextState: CustomReflectable {
  /// A mirror like that of a string.
  public var customMirror: Mirror { Mirror(reflecting: text) }
}
