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
