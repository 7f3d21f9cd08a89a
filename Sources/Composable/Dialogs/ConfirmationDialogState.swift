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
