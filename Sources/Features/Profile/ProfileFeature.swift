public import Clients
public import Composable
import Domain

/// The person's own data, and the ways to change it.
public struct ProfileFeature: Reducer {
  public struct State: Equatable, Sendable {
    public private(set) var snapshot: AccountSnapshot
    @Presents public var edit: EditProfileFeature.State?
    @Presents public var interval: IntervalFeature.State?
    @Presents public var errorLog: ErrorLogFeature.State?

    public init(snapshot: AccountSnapshot) { self.snapshot = snapshot }

    /// Shows a new snapshot, in the sheet as well.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      interval?.show(snapshot)
    }

    var hasUnsavedChanges: Bool { edit?.form.isChanged ?? false }
  }

  public enum Action: Codable, Equatable, Sendable {
    case editButtonTapped
    case intervalButtonTapped
    /// The next of the themes.
    case themeButtonTapped
    case themeFailed(StorageError)
    case edit(PresentationAction<EditProfileFeature.Action>)
    case interval(PresentationAction<IntervalFeature.Action>)
    case errorLogButtonTapped
    case errorLog(PresentationAction<ErrorLogFeature.Action>)

    static let editCase = CasePath(Self.edit) {
      if case .edit(let action) = $0 { action } else { nil }
    }
    static let intervalCase = CasePath(Self.interval) {
      if case .interval(let action) = $0 { action } else { nil }
    }
    static let errorLogCase = CasePath(Self.errorLog) {
      if case .errorLog(let action) = $0 { action } else { nil }
    }
  }

  @Dependency(\.storageClient) var storageClient

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .editButtonTapped:
        state.edit = EditProfileFeature.State(profile: state.snapshot.user.profile)
        return .none
      case .intervalButtonTapped:
        state.interval = IntervalFeature.State(snapshot: state.snapshot)
        return .none
      case .themeButtonTapped:
        var appearance = state.snapshot.appearance
        appearance.theme = appearance.theme.next
        return .run { [storageClient, appearance] send in
          do throws(StorageError) {
            try await storageClient.setValue(appearance, at: .appearance)
          } catch {
            await send(.themeFailed(error))
          }
        }
      case .themeFailed:
        return .none
      case .edit(.presented(.saved)):
        state.edit = nil
        return .none
      case .interval(.presented(.saved)):
        state.interval = nil
        return .none
      case .errorLogButtonTapped:
        state.errorLog = ErrorLogFeature.State()
        return .send(.errorLog(.presented(.appeared)))
      case .edit, .interval, .errorLog:
        return .none
      }
    }
    .ifLet(\.$edit, action: Action.editCase) { EditProfileFeature() }
    .ifLet(\.$interval, action: Action.intervalCase) { IntervalFeature() }
    .ifLet(\.$errorLog, action: Action.errorLogCase) { ErrorLogFeature() }
  }
}
