import Clients
import Composable
import Domain
import Terminal

/// Invites people to the account's server: the roles they get, the link, which is shown only once,
/// and the open invitations.
struct InvitationsFeature: Reducer {
  struct State: ChooserState {
    /// The open invitations, newest first, or `nil` until they are loaded.
    var open: [Invitation]?
    var position: ListPosition
    var request = Request<Action>()
    /// Whether the server didn't answer, so that the last invitation may or may not exist.
    var isUncertain = false
    /// The invitation that was just created.
    var made: NewInvitation?
    /// The QR code of its link, while it is on screen.
    var modules: Secret<[[Bool]]>?
    /// The invitation whose revocation waits for confirmation.
    var revoking: Invitation?
    /// The result of the last operation.
    var message: String?
    /// Why the list can't be loaded.
    var readingFailure: ErrorText?

    /// - Parameter role: The role selected at first for the invited person.
    init(for role: Roles) {
      position = ListPosition(selected: RolesFeature.State.choices.firstIndex(of: role) ?? 0)
    }

    enum Row: Equatable {
      case make(Roles)
      case revoke(Invitation)
    }

    /// The rows of the sheet.
    var rows: [Row] { RolesFeature.State.choices.map(Row.make) + (open ?? []).map(Row.revoke) }

    fileprivate mutating func forgetOutcome() {
      isUncertain = false
      message = nil
      request.failure = nil
    }
  }

  enum Action: ChooserAction, Codable, Equatable {
    case opened
    case changed([Invitation])
    case readingFailed(ErrorText)
    case moved(ListPosition)
    case chooseButtonTapped
    case created(NewInvitation)
    case creationFailed(ErrorText)
    case copyButtonTapped
    case codeButtonTapped
    /// The QR code was computed. It is secret because it contains the link, which is never
    /// recorded.
    case drawn(Secret<[[Bool]]>)
    case codeClosed
    case revokeConfirmed
    case revokeCancelled
    case revoked
    case failed(ErrorText)
    case failureDismissed
    /// Goes back from the link to the list.
    case backButtonTapped
    case closeButtonTapped
  }

  @Dependency(\.invitationClient) var invitationClient
  @Dependency(\.clipboardClient) var clipboardClient
  @Dependency(\.qrCodeClient) var qrCodeClient
  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return .observing(
        clock, { [invitationClient] in invitationClient.observe() }, changed: Action.changed,
        failed: { .readingFailed(.of($0)) })

    case .changed(let open):
      let chosen = state.position.row(of: state.rows)
      state.open = open
      state.position.select(in: state.rows) { $0 == chosen }
      state.readingFailure = nil
      // The server answers again, so the error is outdated.
      if state.request.failure?.error.isRetryable == true { state.request.failure = nil }
      if let revoking = state.revoking, !open.contains(revoking) {
        state.revoking = nil
        state.message = "This invitation was used or revoked in the meantime."
      }

    case .readingFailed(let error): state.readingFailure = error

    case .moved(let position): state.position = position

    case .chooseButtonTapped:
      guard let row = state.position.row(of: state.rows), !state.request.isRunning else {
        return .none
      }
      state.forgetOutcome()
      switch row {
      case .revoke(let invitation): state.revoking = invitation
      case .make(let roles):
        state.request.begin()
        return .request(Action.created, or: { .creationFailed($0.text) }) {
          () throws(ClientError) in
          try await invitationClient.create(roles)
        }
      }

    case .created(let made):
      state.request.end()
      state.made = made

    case .creationFailed(let error):
      state.request.end()
      state.isUncertain = error.isOutcomeUnknown
      if !state.isUncertain { state.request.fail(error) }

    case .copyButtonTapped:
      guard let link = state.made?.link else { return .none }
      state.forgetOutcome()
      state.message = "Copied, if your terminal allows it."
      return .run { [clipboardClient] _ in await clipboardClient.copy(link.value) }

    case .codeButtonTapped:
      guard let link = state.made?.link else { return .none }
      state.forgetOutcome()
      return .request({ .drawn(Secret($0)) }, or: { .failed($0.text) }) { () throws(QRCodeError) in
        try await qrCodeClient.modules(link.value)
      }

    case .drawn(let modules): state.modules = modules
    case .codeClosed: state.modules = nil

    case .revokeConfirmed:
      guard let invitation = state.revoking else { return .none }
      state.revoking = nil
      return .request(.revoked, or: { .failed($0.text) }) { () throws(ClientError) in
        try await invitationClient.revoke(invitation.id)
      }

    case .revokeCancelled: state.revoking = nil

    case .revoked:
      state.message = "Revoked. Nobody can join with its link any more."

    case .failed(let error): state.request.failure = Failure(error)
    case .failureDismissed:
      if state.request.failure == nil { state.readingFailure = nil }
      state.request.failure = nil

    case .backButtonTapped:
      state.made = nil
      state.forgetOutcome()

    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }
}

/// The sheet of invitations, or the link of a new one.
struct InvitationsView: View {
  let store: StoreOf<InvitationsFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    if let modules = store.modules {
      code(modules.value)
    } else if let made = store.made {
      link(made)
    } else {
      ChooserSheet(
        title: "Invite someone to \(snapshot.host.name)", width: 80, rows: rows, store: store
      ) {
        Text("")
        if let failure = store.request.failure {
          ErrorView(failure, store, dismiss: .failureDismissed)
        } else if store.request.isRunning {
          ProgressView("Making a link")
        } else if store.isUncertain {
          Text(
            "The server hasn't answered, so this link may or may not have been made. Choose it again to"
              + " get the same one."
          ).foreground(.warning)
        } else if let message = store.message {
          Text(message).foreground(.calm)
        } else if let failure = store.readingFailure {
          ErrorView(failure, retry: .automatic, dismiss: { store.send(.failureDismissed) })
        } else if store.open == nil {
          ProgressView("Reading your open invitations")
        } else {
          Text(
            "The person who joins with your link becomes this at once. It works once, for 7 days."
              + " Add people who have an account there by their code."
          ).foreground(.dim)
        }
      }
      .overlay {
        if let invitation = store.revoking { revocation(of: invitation) }
      }
    }
  }

  private var rows: [ChooserRow] {
    store.rows.map { row in
      switch row {
      case .make(let roles): ChooserRow(text: "New link: they become \(roles.invitedText)")
      case .revoke(let invitation):
        ChooserRow(text: "Revoke: \(description(of: invitation))")
      }
    }
  }

  /// The facts that identify an invitation: when it was made, for which roles, and until when.
  private func description(of invitation: Invitation) -> String {
    let (calendar, now) = (snapshot.calendar, snapshot.now)
    let day = calendar.dayName(of: invitation.expiresAt, now: now)
    return "made \(calendar.describe(invitation.createdAt, now: now)),"
      + " \(invitation.roles.invitedText), until \(day)"
  }

  private func end(of invitation: Invitation) -> String {
    snapshot.calendar.describe(invitation.expiresAt, now: snapshot.now)
  }

  private func link(_ made: NewInvitation) -> some View {
    Sheet("Your invitation", width: 80) {
      VStack(alignment: .leading, spacing: 0) {
        Text("Send this link to one person. It is shown only once.").bold()
        Text("")
        Text(made.link.value).foreground(.accent)
        Text("")
        Text(
          "They install LifeSignal and type lifesignal join, the link in quotes, and --name and --email."
            + " They see that you invited them, and become \(made.invitation.roles.invitedText) at once;"
            + " you are notified."
        )
        Text("It can be used until \(end(of: made.invitation)).").foreground(.dim)
        if let message = store.message { Text(message).foreground(.calm) }
        if let failure = store.request.failure {
          ErrorView(failure, store, dismiss: .failureDismissed)
        }
      }
      .padding(.horizontal, 1)
    }
    .with([
      Command(key: "y", title: "Copy link") { store.send(.copyButtonTapped) },
      Command(key: "k", title: "QR code") { store.send(.codeButtonTapped) },
      Command(key: "esc", title: "Back") { store.send(.backButtonTapped) },
    ])
  }

  /// The QR code on its own sheet, where it has the most space.
  private func code(_ modules: [[Bool]]) -> some View {
    Sheet("Scan to join", width: 72) {
      QRCode(modules, label: "QR code of your invitation")
    }
    .with([Command(key: "esc", title: "Back") { store.send(.codeClosed) }])
  }

  private func revocation(of invitation: Invitation) -> some View {
    store.ask(
      "Revoke this invitation?",
      "\(description(of: invitation).capitalizedFirst). Nobody can join with its link any more. People who"
        + " joined with another one stay your contacts.",
      role: .warning, no: ("Keep", .revokeCancelled), yes: ("Revoke", .revokeConfirmed))
  }
}

extension InvitationsFeature: SheetFeature {
  static let element = pathElement { InvitationsFeature() }

  static func opened(_: State) -> Action? { .opened }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    InvitationsView(store: store, snapshot: snapshot)
  }
}

extension InvitationsFeature.State: SheetState {}
