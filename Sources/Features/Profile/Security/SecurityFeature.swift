import Clients
import Composable
import Domain
import Terminal

/// Password, passphrase gate, sessions, signing out and deleting the account (AUTH-1, AUTH-2,
/// AUTH-4, CHK-3).
struct SecurityFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    /// The sessions, most recently used first, or `nil` until they are loaded.
    var sessions: [Session]?
    var position = ListPosition(selected: 0)
    /// The operation that waits for confirmation.
    var question: Question?
    /// The result of the last operation.
    var notice: String?
    var failure: Failure<Action>?
    /// Why the session on this device is ending, if the person asked for it.
    var sessionEndReason: SessionEndReason?
    @Presents var destination: Destination.State?

    /// Shows a new snapshot, also in the sheet above this one.
    mutating func show(_ snapshot: AccountSnapshot) {
      let chosen = position.row(of: rows)
      self.snapshot = snapshot
      select(chosen)
      destination[Destination.deletion]?.show(snapshot)
    }

    mutating func select(_ row: Row?) {
      position.select(in: rows) { $0 == row }
    }

    /// The rows of the sheet.
    var rows: [Row] {
      let locks = snapshot.user.locks
      let sessions = sessions ?? []
      return (locks.contains(.unconfirmedAddress) ? [.confirmAddress, .sendAddressCode] : [])
        + (locks.contains(.password) ? [.changePassword] : [.setPassword])
        // On a server, which anyone can connect to, every account needs a password.
        + (locks.contains(.password) && snapshot.host == .thisMachine ? [.removePassword] : [])
        + (locks.contains(.gate) ? [.changeGate, .removeGate] : [.setGate])
        + [locks.contains(.linkCheckIn) ? .forbidLinks : .allowLinks]
        + sessions.map(Row.session)
        + (sessions.contains { !$0.isCurrent } ? [.endOthers] : [])
        + (locks.contains(.password) ? [.signOut] : []) + [.deleteAccount]
    }

    var hasUnsavedChanges: Bool {
      switch destination {
      case .password(let password): password.form.isChanged
      case .gateForm(let gate): gate.form.isChanged
      case .silentAlert, .deletion, nil: false
      }
    }
  }

  enum Row: Equatable, Sendable {
    case confirmAddress, sendAddressCode
    case setPassword, changePassword, removePassword
    case setGate, changeGate, removeGate
    case allowLinks, forbidLinks
    case session(Session)
    case endOthers, signOut, deleteAccount
  }

  enum Question: Equatable, Sendable {
    case end(Session)
    case endOthers
    case signOut
    case allowLinks
  }

  enum SessionEndReason: Equatable, Sendable { case signOut, deletion }

  enum Action: Codable, Equatable, Sendable {
    /// The sheet was opened.
    case opened
    case sessionsLoaded([Session])
    case moved(ListPosition)
    /// The row at an index was opened.
    case rowOpened(Int)
    case silentAlertOpened
    case questionConfirmed
    case questionCancelled
    case signedOut
    case addressCodeSent
    case linksChosen(User)
    case gateRemoved
    indirect case failed(ClientError, retry: Action? = nil)
    case failureDismissed
    case closeButtonTapped
    case destination(PresentationAction<Destination.Action>)

    static let destinationCase = CasePath(reflecting: Self.destination)
  }

  /// The sheets over this one, one at a time.
  struct Destination: Reducer {
    enum State: Equatable, Sendable {
      case password(PasswordFeature.State), gateForm(GateFormFeature.State)
      case silentAlert(SilentAlertFeature.State), deletion(DeletionFeature.State)
    }

    enum Action: Codable, Equatable, Sendable {
      case password(PasswordFeature.Action), gateForm(GateFormFeature.Action)
      case silentAlert(SilentAlertFeature.Action)
      case deletion(DeletionFeature.Action)
    }

    static let password = ChildCase(State.password, Action.password) { PasswordFeature() }
    static let gateForm = ChildCase(State.gateForm, Action.gateForm) { GateFormFeature() }
    static let silentAlert = ChildCase(State.silentAlert, Action.silentAlert) {
      SilentAlertFeature()
    }
    static let deletion = ChildCase(State.deletion, Action.deletion) { DeletionFeature() }

    var body: some ReducerOf<Self> {
      OneOf(Self.password, Self.gateForm, Self.silentAlert, Self.deletion)
    }
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.dateClient) var dateClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .opened:
        state.failure = nil
        return load()

      case .sessionsLoaded(let sessions):
        let chosen = state.position.row(of: state.rows)
        state.sessions = sessions
        state.select(chosen)

      case .moved(let position): state.position = position

      case .rowOpened(let index):
        guard state.rows.indices.contains(index) else { return .none }
        state.position.selected = index
        state.notice = nil
        state.failure = nil
        return open(state.rows[index], &state)

      case .silentAlertOpened: state.destination = .silentAlert(SilentAlertFeature.State())

      case .questionCancelled: state.question = nil

      case .questionConfirmed:
        guard let question = state.question else { return .none }
        state.question = nil
        state.failure = nil
        return answer(question, &state)

      case .signedOut: break
      case .addressCodeSent: state.notice = "A code is on its way to your new e-mail address."

      case .linksChosen(let user): state.show(links: user)
      case .gateRemoved: state.notice = "Your passphrase gate is removed."
      case .failed(let error, let retry):
        state.sessionEndReason = nil
        state.failure = Failure(error.text(dateClient), retry: retry)
      case .failureDismissed: state.failure = nil

      case .closeButtonTapped: return .dismiss()
      case .destination(.presented(let action)): return follow(action, &state)
      case .destination: break
      }
      return .none
    }
    .ifLet(\.$destination, action: Action.destinationCase) { Destination() }
  }

  private func open(_ row: Row, _ state: inout State) -> Effect<Action> {
    switch row {
    case .confirmAddress: state.destination = .password(PasswordFeature.State(.confirmAddress))
    case .sendAddressCode: return sendAddressCode()
    case .setPassword:
      let hasAddress = state.snapshot.user.profile.email != nil
      state.destination = .password(PasswordFeature.State(.set, hasAddress: hasAddress))
    case .changePassword: state.destination = .password(PasswordFeature.State(.change))
    case .removePassword: state.destination = .password(PasswordFeature.State(.remove))
    case .setGate: state.destination = .gateForm(GateFormFeature.State(hasGate: false))
    case .changeGate: state.destination = .gateForm(GateFormFeature.State(hasGate: true))
    case .removeGate:
      return .request(.gateRemoved, or: { .failed($0) }) { () throws(ClientError) in
        try await authClient.updateGate(nil)
      }
    case .allowLinks: state.question = .allowLinks
    case .forbidLinks: return chooseLinks(false)
    case .session(let session): state.question = session.isCurrent ? .signOut : .end(session)
    case .endOthers: state.question = .endOthers
    case .signOut: state.question = .signOut
    case .deleteAccount:
      state.destination = .deletion(DeletionFeature.State(snapshot: state.snapshot))
    }
    return .none
  }

  private func sendAddressCode() -> Effect<Action> {
    .request(.addressCodeSent, or: { .failed($0) }) { () throws(ClientError) in
      try await authClient.sendAddressCode()
    }
  }

  private func answer(_ question: Question, _ state: inout State) -> Effect<Action> {
    switch question {
    case .end(let session):
      return .request(Action.sessionsLoaded, or: { .failed($0) }) { () throws(ClientError) in
        try await authClient.revokeSession(session.id)
        return try await authClient.sessions()
      }
    case .endOthers:
      return .request(Action.sessionsLoaded, or: { .failed($0) }) { () throws(ClientError) in
        try await authClient.revokeOtherSessions()
        return try await authClient.sessions()
      }
    case .allowLinks: return chooseLinks(true)
    case .signOut:
      state.sessionEndReason = .signOut
      return .request(.signedOut, or: { .failed($0) }) { () throws(ClientError) in
        try await authClient.signOut()
      }
    }
  }

  private func chooseLinks(_ isAllowed: Bool) -> Effect<Action> {
    .request(Action.linksChosen, or: { .failed($0) }) { () throws(ClientError) in
      try await userClient.allowLinkCheckIn(isAllowed)
    }
  }

  /// Reacts to the result of a sheet above this one.
  private func follow(_ action: Destination.Action, _ state: inout State) -> Effect<Action> {
    switch action {
    case .password(.saved):
      guard case .password(let password) = state.destination else { return .none }
      state.destination = nil
      state.notice =
        switch password.task {
        case .set: "Your password is set. It is asked for from now on."
        case .change: "Your password is changed; other sessions have ended."
        case .remove: "Your password is removed. Anyone who can open the file can use this account."
        case .confirmAddress: "Your e-mail address is confirmed. Sign in with it from now on."
        }
      return load()
    case .gateForm(.saved):
      state.destination = nil
      state.notice = "Your passphrase gate is set."
    case .deletion(.form(.saveButtonTapped)):
      if case .deletion(let deletion) = state.destination, deletion.form.isSaving {
        state.sessionEndReason = .deletion
      }
    case .deletion(.deletionFailed): state.sessionEndReason = nil
    default:
      break
    }
    return .none
  }

  private func load() -> Effect<Action> {
    .request(Action.sessionsLoaded, or: { .failed($0, retry: .opened) }) { () throws(ClientError) in
      try await authClient.sessions()
    }
    .holdingDismissal(false)
  }
}

extension SecurityFeature.State {
  fileprivate mutating func show(links user: User) {
    notice =
      user.locks.contains(.linkCheckIn)
      ? "Your reminders now have a link to check in by." : "Checking in by a link is off."
  }
}

extension SecurityFeature.Action {
  var delegate: DelegateAction? {
    switch self {
    case .signedOut, .destination(.presented(.deletion(.deleted))): .signedOut
    case .addressCodeSent, .gateRemoved, .destination(.presented(.gateForm(.saved))): .queued
    default: nil
    }
  }
}
