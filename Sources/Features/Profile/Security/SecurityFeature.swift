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
    /// What the palette chose in the sheet before it was opened.
    var choice: Choice?

    /// Shows a new snapshot, also in the sheet above this one.
    mutating func show(_ snapshot: AccountSnapshot) {
      let chosen = position.row(of: rows)
      self.snapshot = snapshot
      select(chosen)
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

  /// A command of the palette.
  enum Choice: Codable, Equatable, Sendable {
    /// The row at an index.
    case row(Int)
    case silentAlert
  }

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
    case passwordSaved(PasswordFeature.Task)
    case gateSaved
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.dateClient) var dateClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .opened:
        state.failure = nil
        guard let choice = state.choice else { return load() }
        state.choice = nil
        return .merge(load(), .send(choice.action))

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
      case .passwordSaved(let task):
        state.notice =
          switch task {
          case .set: "Your password is set. It is asked for from now on."
          case .change: "Your password is changed; other sessions have ended."
          case .remove:
            "Your password is removed. Anyone who can open the file can use this account."
          case .confirmAddress: "Your e-mail address is confirmed. Sign in with it from now on."
          }
        return load()
      case .gateSaved: state.notice = "Your passphrase gate is set."
      case .silentAlertOpened: break
      }
      return .none
    }
  }

  private func open(_ row: Row, _ state: inout State) -> Effect<Action> {
    switch row {
    case .sendAddressCode: return sendAddressCode()
    case .removeGate:
      return .request(.gateRemoved, or: { .failed($0) }) { () throws(ClientError) in
        try await authClient.updateGate(nil)
      }
    case .allowLinks: state.question = .allowLinks
    case .forbidLinks: return chooseLinks(false)
    case .session(let session): state.question = session.isCurrent ? .signOut : .end(session)
    case .endOthers: state.question = .endOthers
    case .signOut: state.question = .signOut
    // These open a sheet.
    case .confirmAddress, .setPassword, .changePassword, .removePassword, .setGate, .changeGate,
      .deleteAccount:
      break
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

extension SecurityFeature.Choice {
  fileprivate var action: SecurityFeature.Action {
    switch self {
    case .row(let index): .rowOpened(index)
    case .silentAlert: .silentAlertOpened
    }
  }
}

extension SecurityFeature: SheetFeature {
  static let element = pathElement { SecurityFeature() }

  static func opened(_: State) -> Action? { .opened }

  func step(after action: Action, in state: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .rowOpened(let index) where state.rows.indices.contains(index):
      .opening(sheet(of: state.rows[index], state.snapshot))
    case .silentAlertOpened: .opening(OpenSheet(SilentAlertFeature.self, .init()))
    default: .none
    }
  }

  private func sheet(of row: Row, _ snapshot: AccountSnapshot) -> OpenSheet? {
    switch row {
    case .confirmAddress: OpenSheet(PasswordFeature.self, .init(.confirmAddress))
    case .setPassword:
      OpenSheet(
        PasswordFeature.self, .init(.set, hasAddress: snapshot.user.profile.email != nil))
    case .changePassword: OpenSheet(PasswordFeature.self, .init(.change))
    case .removePassword: OpenSheet(PasswordFeature.self, .init(.remove))
    case .setGate: OpenSheet(GateFormFeature.self, .init(hasGate: false))
    case .changeGate: OpenSheet(GateFormFeature.self, .init(hasGate: true))
    case .deleteAccount: OpenSheet(DeletionFeature.self, .init(snapshot: snapshot))
    case .sendAddressCode, .removeGate, .allowLinks, .forbidLinks, .session, .endOthers, .signOut:
      nil
    }
  }

  static func action(following action: SheetAction, of sheet: OpenSheet) -> Action? {
    if case .saved = action[PasswordFeature.self] {
      return sheet[PasswordFeature.self].map { .passwordSaved($0.task) }
    }
    return action[GateFormFeature.self] == .saved ? .gateSaved : nil
  }

  static func delegate(of action: Action) -> DelegateAction? {
    switch action {
    case .signedOut: .signedOut
    case .addressCodeSent, .gateRemoved: .queued
    default: nil
    }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    SecurityView(store: store)
  }
}

extension SecurityFeature.State: SheetState {}
