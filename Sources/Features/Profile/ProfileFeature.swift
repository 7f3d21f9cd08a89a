import Clients
import Composable
import Domain

/// The Profile tab: the person's own data and the sheets that change it.
struct ProfileFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    var portrait = PortraitFeature.State()
    /// Whether the account is being read.
    var request = Request<Action>()
    /// Why it can't be read.
    @SharedReader(.terminalSettings) var terminalSettings = TerminalSettings()
    /// How far the tab is scrolled; a long note can make it taller than the window.
    var scrollOffset = 0

    mutating func show(_ snapshot: AccountSnapshot) { self.snapshot = snapshot }
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
    /// The palette chose something in the Security sheet.
    case securityChosen(SecurityFeature.Choice)
    case portrait(PortraitFeature.Action)
    case channelsButtonTapped
    case mailButtonTapped

    static let portraitCase = CasePath(reflecting: Self.portrait)
  }

  private enum CancelID: Hashable, Sendable { case loading }

  @Dependency(\.userClient) var userClient

  var body: some ReducerOf<Self> {
    Scope(state: \.portrait, action: Action.portraitCase) { PortraitFeature() }
    Reduce { state, action in
      switch action {
      case .opened:
        state.request.begin()
        return .request(Action.loaded, or: { .loadFailed($0.text) }) { () throws(ClientError) in
          try await userClient.currentUser()
        }
        .holdingDismissal(false)
        .cancellable(id: CancelID.loading, cancelInFlight: true)
      case .loaded: state.request.end()
      case .loadFailed(let error):
        state.request.fail(error, retry: .opened)
      case .failureDismissed: state.request.failure = nil
      case .scrolled(let offset): state.scrollOffset = offset
      case .editButtonTapped, .intervalButtonTapped, .remindersButtonTapped, .settingsButtonTapped,
        .pictureButtonTapped, .channelsButtonTapped, .mailButtonTapped, .codeButtonTapped,
        .securityButtonTapped, .securityChosen, .errorLogButtonTapped, .documentsButtonTapped,
        .portrait:
        break
      }
      return .none
    }
  }
}

extension ProfileFeature: SheetPresenter {
  func step(after action: Action, in state: State, _ snapshot: AccountSnapshot) -> SheetStep {
    let user = snapshot.user
    return switch action {
    case .editButtonTapped:
      .opening(OpenSheet(EditProfileFeature.self, .init(profile: user.profile)))
    case .intervalButtonTapped:
      .opening(OpenSheet(IntervalFeature.self, .init(snapshot: snapshot)))
    case .remindersButtonTapped: .opening(OpenSheet(EscalationFeature.self, .init(user: user)))
    case .settingsButtonTapped: .opening(OpenSheet(SettingsFeature.self, .init()))
    case .pictureButtonTapped:
      .opening(
        OpenSheet(PictureFeature.self, .init(user: user, picture: state.portrait.picture)))
    case .channelsButtonTapped:
      .opening(OpenSheet(ChannelsFeature.self, .init(snapshot: snapshot)))
    case .mailButtonTapped:
      .opening(OpenSheet(MailFeature.self, .init(address: user.profile.email)))
    case .codeButtonTapped:
      .opening(OpenSheet(CodeFeature.self, .init(code: user.code, host: snapshot.host)))
    case .securityButtonTapped:
      .opening(OpenSheet(SecurityFeature.self, .init(snapshot: snapshot)))
    case .securityChosen(let choice):
      .opening(OpenSheet(SecurityFeature.self, .init(snapshot: snapshot, choice: choice)))
    case .errorLogButtonTapped: .opening(OpenSheet(ErrorLogFeature.self, .init()))
    case .documentsButtonTapped: .opening(OpenSheet(DocumentsFeature.self, .init()))
    default: .none
    }
  }
}
