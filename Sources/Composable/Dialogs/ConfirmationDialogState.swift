/// A dialog that lets a person choose between several ways to go on, as a value in the state.
///
/// It is used as `AlertState`; a view shows it as a list to choose from.
public struct ConfirmationDialogState<Action> {
  /// What it is about.
  public var title: TextState
  /// What there is to know.
  public var message: TextState?
  /// The ways to go on, in order.
  public var buttons: [ButtonState<Action>]

  /// Makes a dialog.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>],
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// The same dialog with other actions.
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
