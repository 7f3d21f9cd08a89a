/// A dialog that asks or tells something, as a value in the state.
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
/// Any button closes it, after the parent has seen the button's action.
public struct AlertState<Action> {
  /// What it is about.
  public var title: TextState
  /// What there is to know.
  public var message: TextState?
  /// The buttons, in order. A view adds one that closes an alert without buttons.
  public var buttons: [ButtonState<Action>]

  /// Makes an alert.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// The same alert with other actions.
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
