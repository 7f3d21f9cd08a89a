import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Terminal

/// Sets up what watches while this computer is off: a heartbeat service or an ntfy topic (WCH-2).
struct StandbyFeature: Reducer {
  enum Field: FormKey { case heartbeat, topic }

  struct State: Equatable, Sendable {
    /// The form, or `nil` until the settings are loaded.
    var form: Form<Field>?
    /// Why the settings could not be loaded.
    var failure: ErrorText?

    /// The typed settings, or `nil` while a field is invalid.
    var standby: Standby? {
      form.flatMap { try? Standby(validating: $0[.heartbeat].text, topic: $0[.topic].text) }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case loaded(Standby)
    case loadFailed(ClientError)
    case form(FormAction<Field>)
    /// Fills in a topic that nobody can guess.
    case newTopicButtonTapped
    case closeButtonTapped
    case saved(Standby)
    case saveFailed(ClientError)
  }

  @Dependency(\.standbyClient) var standbyClient
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      state.failure = nil
      return .request(Action.loaded, or: Action.loadFailed) { () throws(ClientError) in
        try await standbyClient.standby()
      }
      .holdingDismissal(false)

    case .loaded(let standby):
      state.form = Form([
        .heartbeat: TextInput(standby.heartbeat ?? "", limit: 2_000),
        .topic: TextInput(standby.topic ?? "", limit: 2_000),
      ])

    case .loadFailed(let error): state.failure = error.text

    case .form(let action):
      switch state.form?.apply(action, validate: Self.validate) {
      case .save: return save(state)
      case .close: return .dismiss()
      case nil: return .none
      }

    case .newTopicButtonTapped:
      // The topic must be hard to guess: anyone who knows it can read it.
      state.form?.replace(.topic, with: NtfyTopic(id: uuid()).address)

    case .closeButtonTapped: return .dismiss()
    case .saved: state.form?.saved()
    case .saveFailed(let error): state.form?.failed(error.text)
    }
    return .none
  }

  private func save(_ state: State) -> Effect<Action> {
    guard let standby = state.standby else { return .none }
    return .request(.saved(standby), or: Action.saveFailed) { () throws(ClientError) in
      try await standbyClient.update(standby)
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .heartbeat: _ = try Standby(validating: form[field].text, topic: "")
    case .topic: _ = try Standby(validating: "", topic: form[field].text)
    }
  }
}

extension Form {
  /// Replaces a field's text as if the person had typed it.
  mutating func replace(_ field: Field, with text: String) {
    focus = field
    self[field].apply(.selectAll)
    self[field].apply(.insert(text))
    touched.remove(field)
    errors[field] = nil
  }
}

/// The sheet that asks who watches if this computer is off and offers the options.
struct StandbyView: View {
  let store: StoreOf<StandbyFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    Sheet("Who watches if \(snapshot.host.name) is off?", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        Text(watchText).foreground(isWatched ? .text : .danger)
        if snapshot.host == .thisMachine {
          Text("lifesignal monitor install starts a monitor with this computer.")
            .foreground(.dim)
        }
        Text("")
        fields
      }
      .padding(.horizontal, 1)
    }
    .with(store.form == nil ? loadingCommands : [])
  }

  private var isWatched: Bool { snapshot.situation.watch.isRunning }

  private var watchText: String {
    isWatched
      ? "While it is on, a monitor on \(snapshot.host.name) watches. When it is off, \(otherwise)."
      : "No monitor is running on \(snapshot.host.name)."
  }

  private var otherwise: String {
    let isEmpty = store.form.map { $0[.heartbeat].text.isEmpty && $0[.topic].text.isEmpty } ?? true
    return isEmpty ? "nobody is notified" : "only what is set up here notifies your people"
  }

  @ViewBuilder private var fields: some View {
    if let form = store.form {
      let fields = FormFields(form: form) { store.send(.form($0)) }
      fields.text(.heartbeat, "Heartbeat", "https://hc-ping.com/…, optional")
      Text("A service that notifies your people when \(snapshot.host.name)'s calls stop.")
        .foreground(.dim)
      Text("")
      fields.text(.topic, "ntfy topic", "its name or address, optional")
      Text("A message waits there. Each check-in postpones it; if none does, it is sent.")
        .foreground(.dim)
      FormOutcome(form: form, send: fields.send)
        .command("ctrl+n", "New topic") { store.send(.newTopicButtonTapped) }
        .formCommands(form, send: fields.send)
    } else if let failure = store.failure {
      ErrorView(failure, retry: .key { store.send(.opened) }, dismiss: nil)
    } else {
      ProgressView("Reading")
    }
  }

  private var loadingCommands: [Command] {
    [Command(key: "esc", title: "Later") { store.send(.closeButtonTapped) }]
  }
}

extension StandbyFeature: SheetFeature {
  static let element = pathElement { StandbyFeature() }

  static func opened(_: State) -> Action? { .opened }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved: .closing
    default: .none
    }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    guard case .saved(let standby) = action else { return nil }
    return .toast(
      standby.isNone
        ? "Saved. If no monitor is running, nobody watches."
        : "Saved. A running monitor uses it from now on.")
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    StandbyView(store: store, snapshot: snapshot)
  }
}

extension StandbyFeature.State: SheetState {
  var isChanged: Bool { form?.isChanged ?? false }
}
