import Clients
import Composable
import Domain

/// The person's own data, and the ways to change it.
struct ProfileFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    @Presents var edit: EditProfileFeature.State?
    @Presents var interval: IntervalFeature.State?
    @Presents var code: CodeFeature.State?
    @Presents var escalation: EscalationFeature.State?
    @Presents var settings: SettingsFeature.State?
    @Presents var security: SecurityFeature.State?
    @Presents var errorLog: ErrorLogFeature.State?
    @Presents var documents: DocumentsFeature.State?
    @Presents var picture: PictureFeature.State?
    var portrait = PortraitFeature.State()
    /// How far the tab is scrolled, where a long note makes it higher than the window.
    var scrollOffset = 0
    @Presents var channels: ChannelsFeature.State?

    init(snapshot: AccountSnapshot) { self.snapshot = snapshot }

    /// Shows a new snapshot, in the sheet as well.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      interval?.show(snapshot)
      settings?.show(snapshot)
      security?.show(snapshot)
      channels?.show(snapshot)
    }

    var hasUnsavedChanges: Bool {
      edit?.form.isChanged ?? picture?.form.isChanged ?? escalation?.form.isChanged
        ?? security?.hasUnsavedChanges ?? channels?.hasUnsavedChanges ?? false
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case scrolled(Int)
    case editButtonTapped
    case intervalButtonTapped
    case remindersButtonTapped
    case settingsButtonTapped
    case securityButtonTapped
    case edit(PresentationAction<EditProfileFeature.Action>)
    case interval(PresentationAction<IntervalFeature.Action>)
    case codeButtonTapped
    case code(PresentationAction<CodeFeature.Action>)
    case escalation(PresentationAction<EscalationFeature.Action>)
    case settings(PresentationAction<SettingsFeature.Action>)
    case security(PresentationAction<SecurityFeature.Action>)
    case errorLogButtonTapped
    case errorLog(PresentationAction<ErrorLogFeature.Action>)
    case documentsButtonTapped
    case documents(PresentationAction<DocumentsFeature.Action>)
    case pictureButtonTapped
    case picture(PresentationAction<PictureFeature.Action>)
    case portrait(PortraitFeature.Action)
    case channelsButtonTapped
    case channels(PresentationAction<ChannelsFeature.Action>)

    static let channelsCase = CasePath(Self.channels) {
      if case .channels(let action) = $0 { action } else { nil }
    }
    static let codeCase = CasePath(Self.code) { if case .code(let it) = $0 { it } else { nil } }
    static let editCase = CasePath(Self.edit) { if case .edit(let it) = $0 { it } else { nil } }
    static let securityCase = CasePath(Self.security) {
      if case .security(let action) = $0 { action } else { nil }
    }
    static let intervalCase = CasePath(Self.interval) {
      if case .interval(let action) = $0 { action } else { nil }
    }
    static let escalationCase = CasePath(Self.escalation) {
      if case .escalation(let action) = $0 { action } else { nil }
    }
    static let settingsCase = CasePath(Self.settings) {
      if case .settings(let action) = $0 { action } else { nil }
    }
    static let errorLogCase = CasePath(Self.errorLog) {
      if case .errorLog(let action) = $0 { action } else { nil }
    }
    static let documentsCase = CasePath(Self.documents) {
      if case .documents(let action) = $0 { action } else { nil }
    }
    static let pictureCase = CasePath(Self.picture) {
      if case .picture(let action) = $0 { action } else { nil }
    }
    static let portraitCase = CasePath(Self.portrait) {
      if case .portrait(let action) = $0 { action } else { nil }
    }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.portrait, action: Action.portraitCase) { PortraitFeature() }
    Reduce { state, action in
      switch action {
      case .scrolled(let offset): state.scrollOffset = offset
      case .editButtonTapped:
        state.edit = EditProfileFeature.State(profile: state.snapshot.user.profile)
      case .intervalButtonTapped: state.interval = IntervalFeature.State(snapshot: state.snapshot)
      case .codeButtonTapped:
        state.code = CodeFeature.State(code: state.snapshot.user.code)
        return .send(.code(.presented(.opened)))
      case .securityButtonTapped:
        state.security = SecurityFeature.State(snapshot: state.snapshot)
        return .send(.security(.presented(.opened)))
      case .remindersButtonTapped:
        state.escalation = EscalationFeature.State(user: state.snapshot.user)
      case .settingsButtonTapped: state.settings = SettingsFeature.State(snapshot: state.snapshot)
      case .escalation(.presented(.saved)): state.escalation = nil
      case .edit(.presented(.saved)): state.edit = nil
      case .interval(.presented(.saved)): state.interval = nil
      case .errorLogButtonTapped:
        state.errorLog = ErrorLogFeature.State()
        return .send(.errorLog(.presented(.appeared)))
      case .documentsButtonTapped:
        state.documents = DocumentsFeature.State()
        return .send(.documents(.presented(.opened)))
      case .pictureButtonTapped: state.picture = PictureFeature.State(user: state.snapshot.user)
      case .picture(.presented(.saved)): state.picture = nil
      case .channelsButtonTapped: state.channels = ChannelsFeature.State(snapshot: state.snapshot)
      case .edit, .interval, .code, .escalation, .settings, .security, .errorLog, .documents,
        .picture, .portrait, .channels:
        break
      }
      return .none
    }
    .ifLet(\.$edit, action: Action.editCase) { EditProfileFeature() }
    .ifLet(\.$interval, action: Action.intervalCase) { IntervalFeature() }
    .ifLet(\.$code, action: Action.codeCase) { CodeFeature() }
    .ifLet(\.$escalation, action: Action.escalationCase) { EscalationFeature() }
    .ifLet(\.$settings, action: Action.settingsCase) { SettingsFeature() }
    .ifLet(\.$security, action: Action.securityCase) { SecurityFeature() }
    .ifLet(\.$channels, action: Action.channelsCase) { ChannelsFeature() }
    .ifLet(\.$errorLog, action: Action.errorLogCase) { ErrorLogFeature() }
    .ifLet(\.$documents, action: Action.documentsCase) { DocumentsFeature() }
    .ifLet(\.$picture, action: Action.pictureCase) { PictureFeature() }
  }
}
