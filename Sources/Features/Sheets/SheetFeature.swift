import Composable
import Domain
import Terminal

/// A feature whose actions open sheets: a tab, or a sheet itself.
protocol SheetPresenter: Reducer where Action: Sendable {
  /// Returns which sheets an action opens, and whether it closes the feature's own.
  /// - Parameter state: The state after the action.
  func step(after action: Action, in state: State, _ snapshot: AccountSnapshot) -> SheetStep

  /// Returns the action by which the feature follows one of the sheet above it, such as its result;
  /// `nil` if there is nothing to follow.
  static func action(following action: SheetAction, of sheet: OpenSheet) -> Action?
}

extension SheetPresenter {
  func step(after _: Action, in _: State, _: AccountSnapshot) -> SheetStep { .none }
  static func action(following _: SheetAction, of _: OpenSheet) -> Action? { nil }
}

/// What an action does to the path of sheets.
struct SheetStep {
  /// Whether the sheet of the action, and all above it, close.
  var closes = false
  /// The sheets that open then, one above the other.
  var opens: [OpenSheet] = []

  static let none = Self()
  static let closing = Self(closes: true)

  static func opening(_ sheets: OpenSheet?...) -> Self { Self(opens: sheets.compactMap(\.self)) }
}

/// A sheet over the tabs: a feature with its view, in one file. ``SheetPath`` lists it.
protocol SheetFeature: SheetPresenter, SendableMetatype
where State: SheetState, Action: Codable & Equatable & Sendable {
  associatedtype Content: View

  /// The sheet as an element of the path: `static let element = pathElement { IntervalFeature() }`.
  static var element: SheetElement<Self> { get }

  init()

  /// The action that a sheet begins with, or `nil`.
  static func opened(_ state: State) -> Action?
  /// What the root does about an action, or `nil`.
  static func delegate(of action: Action) -> DelegateAction?
  @MainActor static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> Content
}

extension SheetFeature {
  static func opened(_: State) -> Action? { nil }
  static func delegate(of _: Action) -> DelegateAction? { nil }

  static func pathElement(
    _ make: @escaping @Sendable () -> Self, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> SheetElement<Self> {
    ChildCase(
      state: CasePath({ OpenSheet(Self.self, $0) }, { $0[Self.self] }),
      action: CasePath({ SheetAction(Self.self, $0) }, { $0[Self.self] }), child: make,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// A sheet as an element of the path.
typealias SheetElement<Feature: SheetFeature> = ChildCase<OpenSheet, SheetAction, Feature>

/// The state of a sheet.
protocol SheetState: Equatable, Sendable {
  /// Whether closing the sheet would lose what was typed.
  var isChanged: Bool { get }
  /// Why the person's session is about to end, or `nil`.
  var sessionEndReason: SessionEndReason? { get }
  /// Shows what has changed in the account.
  mutating func show(_ snapshot: AccountSnapshot)
  /// Whether the sheet shows something that is gone, so that it must close.
  func isObsolete(in snapshot: AccountSnapshot) -> Bool
}

extension SheetFeature where Self: FormFeature {
  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    if case .saved = action { .closing } else { .none }
  }
}

extension SheetState where Self: FormState {
  var isChanged: Bool { form.isChanged }
}

extension SheetState {
  var isChanged: Bool { false }
  var sessionEndReason: SessionEndReason? { nil }
  mutating func show(_: AccountSnapshot) {}
  func isObsolete(in _: AccountSnapshot) -> Bool { false }

  fileprivate func isEqual(to other: any SheetState) -> Bool { (other as? Self) == self }
}

/// Why the person's session on this device ends.
enum SessionEndReason: Equatable, Sendable { case signOut, deletion }

/// A sheet on the path.
struct OpenSheet: Equatable, Sendable {
  let feature: any SheetFeature.Type
  private(set) var state: any SheetState

  init<Feature: SheetFeature>(_ feature: Feature.Type, _ state: Feature.State) {
    self.feature = feature
    self.state = state
  }

  static func == (one: Self, other: Self) -> Bool { one.state.isEqual(to: other.state) }

  /// The state of a feature's sheet, or `nil` if this is another one.
  subscript<Feature: SheetFeature>(_: Feature.Type) -> Feature.State? {
    get { state as? Feature.State }
    set { if let newValue { state = newValue } }
  }

  var isChanged: Bool { state.isChanged }
  mutating func show(_ snapshot: AccountSnapshot) { state.show(snapshot) }
  func isObsolete(in snapshot: AccountSnapshot) -> Bool { state.isObsolete(in: snapshot) }

  /// The action that it begins with, or `nil`.
  var opened: SheetAction? {
    func opened<Feature: SheetFeature>(_: Feature.Type) -> SheetAction? {
      self[Feature.self].flatMap(Feature.opened).map { SheetAction(Feature.self, $0) }
    }
    return opened(feature)
  }

  /// Returns what an action of it does to the path.
  func step(after action: SheetAction, _ snapshot: AccountSnapshot) -> SheetStep {
    func step<Feature: SheetFeature>(_: Feature.Type) -> SheetStep {
      guard let state = self[Feature.self], let action = action[Feature.self] else { return .none }
      return Feature().step(after: action, in: state, snapshot)
    }
    return step(feature)
  }

  /// Returns the action by which it follows one of the sheet above it.
  func action(following action: SheetAction, of sheet: OpenSheet) -> SheetAction? {
    func follow<Feature: SheetFeature>(_: Feature.Type) -> SheetAction? {
      Feature.action(following: action, of: sheet).map { SheetAction(Feature.self, $0) }
    }
    return follow(feature)
  }
}

extension OpenSheet: Codable {
  /// Sheets are opened by the actions that lead to them, never by a recorded state.
  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "A sheet can't be read."))
  }

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: encoder.codingPath, debugDescription: "A sheet can't be kept."))
  }
}

/// An action of a sheet on the path.
struct SheetAction: Equatable, Sendable {
  let feature: any SheetFeature.Type
  let action: any Codable & Equatable & Sendable

  init<Feature: SheetFeature>(_ feature: Feature.Type, _ action: Feature.Action) {
    self.feature = feature
    self.action = action
  }

  static func == (one: Self, other: Self) -> Bool {
    func isEqual<Action: Equatable>(_ action: Action) -> Bool {
      (other.action as? Action) == action
    }
    return isEqual(one.action)
  }

  /// The action of a feature's sheet, or `nil` if this is one of another.
  subscript<Feature: SheetFeature>(_: Feature.Type) -> Feature.Action? {
    action as? Feature.Action
  }

  /// What the root does about it, or `nil`.
  var delegate: DelegateAction? {
    func delegate<Feature: SheetFeature>(_: Feature.Type) -> DelegateAction? {
      self[Feature.self].flatMap(Feature.delegate)
    }
    return delegate(feature)
  }
}
