import Clients
import Composable
import Domain

/// The Profile tab: the person's own data and the sheets that change it.
struct ProfileFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    @Presents var destination: Destination.State?
    var portrait = PortraitFeature.State()
    /// Whether the account is being read.
    var isLoading = false
    /// Why it can't be read.
    var failure: ErrorText?
    @SharedReader(.terminalSettings) var terminalSettings = TerminalSettings()
    /// How far the tab is scrolled; a long note can make it taller than the window.
    var scrollOffset = 0

    /// Shows a new snapshot, also in the open sheet.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      destination[Destination.security]?.show(snapshot)
      destination[Destination.channels]?.show(snapshot)
    }

    var hasUnsavedChanges: Bool {
      switch destination {
      case .edit(let edit): edit.form.isChanged
      case .picture(let picture): picture.form.isChanged
      case .escalation(let escalation): escalation.form.isChanged
      case .security(let security): security.hasUnsavedChanges
      case .channels(let channels): channels.hasUnsavedChanges
      case .mail(let mail): mail.test == .none && mail.form.isChanged
      case .interval, .code, .settings, .errorLog, .documents, nil: false
      }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    /// The tab was opened while the account's stream has failed, or reading is tried again.
    case opened
    case loaded(User)
    case loadFailed(ErrorText)
    case failureDismissed
    case scrolled(Int)
    case editButtonTapped
    case intervalButtonTapped
    case remindersButtonTapped
    case settingsButtonTapped
    case securityButtonTapped
    case codeButtonTapped
    case errorLogButtonTapped
    case documentsButtonTapped
    case pictureButtonTapped
    case destination(PresentationAction<Destination.Action>)
    case portrait(PortraitFeature.Action)
    case channelsButtonTapped
    case mailButtonTapped

    static let destinationCase = CasePath(reflecting: Self.destination)
    static let portraitCase = CasePath(reflecting: Self.portrait)
  }

  /// The sheets over the tab, one at a time.
  struct Destination: Reducer {
    enum State: Equatable, Sendable {
      case edit(EditProfileFeature.State), interval(IntervalFeature.State), code(CodeFeature.State)
      case escalation(EscalationFeature.State), settings(SettingsFeature.State)
      case security(SecurityFeature.State), errorLog(ErrorLogFeature.State)
      case documents(DocumentsFeature.State), picture(PictureFeature.State)
      case channels(ChannelsFeature.State), mail(MailFeature.State)
    }

    enum Action: Codable, Equatable, Sendable {
      case edit(EditProfileFeature.Action), interval(IntervalFeature.Action)
      case code(CodeFeature.Action), escalation(EscalationFeature.Action)
      case settings(SettingsFeature.Action), security(SecurityFeature.Action)
      case errorLog(ErrorLogFeature.Action), documents(DocumentsFeature.Action)
      case picture(PictureFeature.Action), channels(ChannelsFeature.Action)
      case mail(MailFeature.Action)
    }

    static let edit = ChildCase(State.edit, Action.edit) { EditProfileFeature() }
    static let interval = ChildCase(State.interval, Action.interval) { IntervalFeature() }
    static let code = ChildCase(State.code, Action.code) { CodeFeature() }
    static let escalation = ChildCase(State.escalation, Action.escalation) { EscalationFeature() }
    static let settings = ChildCase(State.settings, Action.settings) { SettingsFeature() }
    static let security = ChildCase(State.security, Action.security) { SecurityFeature() }
    static let errorLog = ChildCase(State.errorLog, Action.errorLog) { ErrorLogFeature() }
    static let documents = ChildCase(State.documents, Action.documents) { DocumentsFeature() }
    static let picture = ChildCase(State.picture, Action.picture) { PictureFeature() }
    static let channels = ChildCase(State.channels, Action.channels) { ChannelsFeature() }
    static let mail = ChildCase(State.mail, Action.mail) { MailFeature() }

    var body: some ReducerOf<Self> {
      OneOf(
        Self.edit, Self.interval, Self.code, Self.escalation, Self.settings, Self.security,
        Self.errorLog, Self.documents, Self.picture, Self.channels, Self.mail)
    }
  }

  private enum CancelID: Hashable, Sendable { case loading }

  @Dependency(\.userClient) var userClient

  var body: some ReducerOf<Self> {
    Scope(state: \.portrait, action: Action.portraitCase) { PortraitFeature() }
    Reduce { state, action in
      let snapshot = state.snapshot
      switch action {
      case .opened:
        state.isLoading = true
        state.failure = nil
        return .request(Action.loaded, or: { .loadFailed($0.text) }) { () throws(ClientError) in
          try await userClient.currentUser()
        }
        .holdingDismissal(false)
        .cancellable(id: CancelID.loading, cancelInFlight: true)
      case .loaded: state.isLoading = false
      case .loadFailed(let error):
        state.isLoading = false
        state.failure = error
      case .failureDismissed: state.failure = nil
      case .scrolled(let offset): state.scrollOffset = offset
      case .editButtonTapped:
        state.destination = .edit(EditProfileFeature.State(profile: snapshot.user.profile))
      case .intervalButtonTapped:
        state.destination = .interval(IntervalFeature.State(snapshot: snapshot))
      case .remindersButtonTapped:
        state.destination = .escalation(EscalationFeature.State(user: snapshot.user))
      case .settingsButtonTapped:
        state.destination = .settings(SettingsFeature.State())
      case .pictureButtonTapped:
        state.destination = .picture(PictureFeature.State(user: snapshot.user))
      case .channelsButtonTapped:
        state.destination = .channels(ChannelsFeature.State(snapshot: snapshot))
      case .mailButtonTapped:
        state.destination = .mail(MailFeature.State(address: snapshot.user.profile.email))
        return .send(.destination(.presented(.mail(.opened))))
      case .codeButtonTapped:
        state.destination = .code(
          CodeFeature.State(code: snapshot.user.code, host: snapshot.host))
        return .send(.destination(.presented(.code(.opened))))
      case .securityButtonTapped:
        state.destination = .security(SecurityFeature.State(snapshot: snapshot))
        return .send(.destination(.presented(.security(.opened))))
      case .errorLogButtonTapped:
        state.destination = .errorLog(ErrorLogFeature.State())
        return .send(.destination(.presented(.errorLog(.appeared))))
      case .documentsButtonTapped:
        state.destination = .documents(DocumentsFeature.State())
        return .send(.destination(.presented(.documents(.opened))))
      case .destination(.presented(.edit(.saved))), .destination(.presented(.interval(.saved))),
        .destination(.presented(.escalation(.saved))), .destination(.presented(.picture(.saved))):
        state.destination = nil
      case .destination, .portrait: break
      }
      return .none
    }
    .ifLet(\.$destination, action: Action.destinationCase) { Destination() }
  }
}

extension ProfileFeature.Destination.Action {
  var delegate: DelegateAction? {
    switch self {
    case .edit(.saved(let user)): .saved(user, text: "Profile saved.")
    case .escalation(.saved(let user)): .saved(user, text: "Reminders saved.")
    case .picture(.saved(let user)): .saved(user, text: "Name and picture saved.")
    case .interval(let action): action.delegate
    case .security(let action): action.delegate
    case .channels(let action): action.delegate
    default: nil
    }
  }
}
