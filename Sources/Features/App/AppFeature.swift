import Clients
public import Composable
public import Domain
public import FoundationEssentials

/// The root: who is here, which of the two screens they see, the clock, and the streams from the
/// store.
public struct AppFeature: Reducer {
  public struct State: Equatable, Sendable {
    /// Asked only until the first account has been opened.
    public var onboarding: OnboardingFeature.State?
    /// The tabs, once the account has been read.
    public var main: MainTabFeature.State?
    /// Why there is nothing to show.
    public var failure: ErrorText?
    public var toast: Toast?
    /// The sheet with all keys.
    public var isShowingKeys = false
    /// Whether to ask before leaving, since something typed is not saved or an alert is not sent.
    public var isConfirmingQuit = false
    /// Notifications that were there when the last of them came; `nil` before the first look.
    public var knownNotifications: Set<NotificationItem.ID>?
    /// The program ends once this is set.
    public var isFinished = false

    public init() {}
  }

  public enum Action: Codable, Equatable, Sendable {
    /// The program has started.
    case started
    case accountFound(User)
    case accountMissing
    case accountFailed(ErrorText)
    case retryButtonTapped
    case userChanged(User)
    case contactsChanged([Contact])
    case historyChanged([CheckIn])
    case alertsChanged([AlertReport])
    case notificationsChanged([NotificationItem])
    case watchChanged(WatchStatus)
    case appearanceChanged(Appearance)
    /// A stream from the store ended with an error.
    case streamFailed(ErrorText)
    case monitorFailed(ErrorText)
    /// Something visible changes now.
    case ticked
    case resumed
    case toastExpired
    case keysButtonTapped
    case keysClosed
    case quitButtonTapped
    case quitConfirmed
    case quitCancelled
    /// The answer to the question before leaving: the alert that is being raised goes out now.
    case sendAlertButtonTapped
    case onboarding(OnboardingFeature.Action)
    case main(MainTabFeature.Action)

    static let onboardingCase = CasePath(Self.onboarding) {
      if case .onboarding(let action) = $0 { action } else { nil }
    }
    static let mainCase = CasePath(Self.main) {
      if case .main(let action) = $0 { action } else { nil }
    }
  }

  /// A short message at the bottom right, for three seconds.
  public struct Toast: Equatable, Sendable {
    public var text: String
    public var tone: Tone

    public init(_ text: String, _ tone: Tone = .calm) {
      self.text = text
      self.tone = tone
    }

    public enum Tone: Equatable, Sendable { case calm, warning, danger }
  }

  enum CancelID: Hashable, Sendable { case streams, tick, toast }

  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.notificationClient) var notificationClient
  @Dependency(\.attentionClient) var attentionClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.storageClient) var storageClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock

  /// How many check-ins and alerts the screens hold.
  public static let historyLimit = 100
  /// How many notifications the screens hold.
  public static let notificationLimit = 500
  public static let toastDuration = Duration.seconds(3)
  /// How long a monitor may take to begin with an alert.
  public static let insistenceDelay = Duration.seconds(3)

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .started, .retryButtonTapped:
        state.failure = nil
        return findAccount()

      case .accountFound(let user):
        state.onboarding = nil
        state.failure = nil
        state.knownNotifications = nil
        state.main = MainTabFeature.State(
          snapshot: AccountSnapshot(
            user: user, now: dateClient.now(), calendar: dateClient.calendar))
        return .merge(observeStore(), startMonitor(), scheduleTick(state))

      case .accountMissing:
        state.onboarding = OnboardingFeature.State(calendar: dateClient.calendar)
        return .none

      case .accountFailed(let error):
        state.failure = error
        return .none

      case .userChanged(let user):
        return update(&state) { $0.user = user }
      case .contactsChanged(let contacts):
        return update(&state) { $0.contacts = contacts }
      case .historyChanged(let history):
        return update(&state) { $0.history = history }
      case .alertsChanged(let alerts):
        return update(&state) { $0.alerts = alerts }
      case .notificationsChanged(let items):
        let call = call(for: items, in: &state)
        return .merge(update(&state) { $0.notifications = items }, call)
      case .watchChanged(let watch):
        let wasWatched = (state.main?.snapshot.watch?.monitors ?? 0) > 0
        let show = update(&state) { $0.watch = watch }
        // One that died is replaced, once: should that one die too, something else is wrong.
        return wasWatched && watch.monitors == 0 ? .merge(show, startMonitor()) : show
      case .appearanceChanged(let appearance):
        return update(&state) { $0.appearance = appearance }
      case .ticked, .resumed:
        return update(&state) { _ in }

      case .streamFailed(let error):
        state.failure = error
        return .merge(.cancel(id: CancelID.streams), .cancel(id: CancelID.tick))

      case .monitorFailed(let error):
        return show(
          Toast("No monitor could be started: \(error.description)", .danger), in: &state)

      case .toastExpired:
        state.toast = nil
        return .none

      case .keysButtonTapped:
        state.isShowingKeys = true
        return .none
      case .keysClosed:
        state.isShowingKeys = false
        return .none

      case .quitButtonTapped:
        if state.isRaisingAlert || state.hasUnsavedChanges {
          state.isConfirmingQuit = true
        } else {
          state.isFinished = true
        }
        return .none
      case .quitConfirmed:
        state.isConfirmingQuit = false
        state.isFinished = true
        return .none
      case .quitCancelled:
        state.isConfirmingQuit = false
        return .none

      case .sendAlertButtonTapped:
        // The person stays to see who is told.
        state.isConfirmingQuit = false
        return .send(.main(.emergency(.sendNowButtonTapped)))

      case .onboarding(.accountCreated(let user)):
        return .send(.accountFound(user))

      case .main(let action):
        return announce(action, in: &state)

      case .onboarding:
        return .none
      }
    }
    .ifLet(\.onboarding, action: Action.onboardingCase) { OnboardingFeature() }
    .ifLet(\.main, action: Action.mainCase) { MainTabFeature() }
  }

  private func findAccount() -> Effect<Action> {
    .run { [authClient, userClient] send in
      do throws(AuthError) {
        guard try await authClient.currentUserID() != nil else {
          await send(.accountMissing)
          return
        }
      } catch {
        await send(.accountFailed(error.text))
        return
      }
      do throws(UserError) {
        await send(.accountFound(try await userClient.currentUser()))
      } catch {
        await send(.accountFailed(error.text))
      }
    }
  }

  /// The streams that live as long as somebody is signed in.
  private func observeStore() -> Effect<Action> {
    .merge(
      observe({ [userClient] in userClient.observeCurrentUser() }, Action.userChanged),
      observe({ [contactsClient] in contactsClient.observe() }, Action.contactsChanged),
      observe(
        { [checkInClient] in checkInClient.observeHistory(Self.historyLimit) },
        Action.historyChanged),
      observe(
        { [alertClient] in alertClient.observe(Self.historyLimit) }, Action.alertsChanged),
      observe(
        { [notificationClient] in notificationClient.observe(Self.notificationLimit, .all) },
        Action.notificationsChanged),
      observe({ [watchClient] in watchClient.observe() }, Action.watchChanged),
      observe({ [storageClient] in storageClient.observeDocument(.appearance) }) { document in
        // A document of another shape, as a newer program may write, means no choice.
        .appearanceChanged((try? document?.decoded(as: Appearance.self)) ?? Appearance())
      }
    )
    .cancellable(id: CancelID.streams, cancelInFlight: true)
  }

  private func observe<Value: Sendable>(
    _ stream: @escaping @Sendable () -> AsyncThrowingStream<Value, any Error>,
    _ action: @escaping @Sendable (Value) -> Action
  ) -> Effect<Action> {
    .run { send in
      for try await value in stream() { await send(action(value)) }
    } catch: { error, send in
      let text =
        (error as? any AppError)?.text ?? StorageError.unknown(String(describing: error)).text
      await send(.streamFailed(text))
    }
  }

  private func startMonitor() -> Effect<Action> {
    .run { [watchClient] send in
      do throws(StorageError) {
        try await watchClient.start()
      } catch {
        await send(.monitorFailed(error.text))
      }
    }
  }

  /// Starts one more monitor where an alert's messages have not been touched after a while: a lease
  /// that still runs may be that of a monitor that was killed or hangs.
  private func insist(on alert: Alert.ID) -> Effect<Action> {
    .run { [alertClient, watchClient, clock] _ in
      try await clock.sleep(for: Self.insistenceDelay)
      let reports = try await alertClient.history(Self.historyLimit)
      guard let report = reports.first(where: { $0.id == alert }), report.alert.isActive,
        report.messages.allSatisfy({ $0.state == .pending && $0.error == nil })
      else { return }
      try await watchClient.startAnother()
    } catch: { _, _ in
      // What hinders it is shown by whoever watches, or by nobody watching.
    }
  }

  /// Changes what the tabs show, with the time of now, and waits for the next visible change.
  private func update(
    _ state: inout State, _ change: (inout AccountSnapshot) -> Void
  ) -> Effect<Action> {
    guard var snapshot = state.main?.snapshot else { return .none }
    change(&snapshot)
    snapshot.now = dateClient.now()
    state.main?.show(snapshot)
    return scheduleTick(state)
  }

  /// NOT-2: calls the person for what is pressing and came while they were here, once.
  private func call(for items: [NotificationItem], in state: inout State) -> Effect<Action> {
    let known = state.knownNotifications
    state.knownNotifications = Set(items.map(\.id))
    guard let known else { return .none }
    let pressing = items.prefix { !known.contains($0.id) }
      .filter { $0.kind.priority == .high && !$0.isRead }
    guard !pressing.isEmpty else { return .none }
    return .run { [attentionClient] _ in
      for item in pressing.reversed() { await attentionClient.call("LifeSignal", item.callText) }
    }
  }

  private func scheduleTick(_ state: State) -> Effect<Action> {
    guard let snapshot = state.main?.snapshot else { return .none }
    let wait = snapshot.nextVisibleChange.timeIntervalSince(snapshot.now)
    return .run { [clock] send in
      try await clock.sleep(for: .milliseconds(Int((wait * 1000).rounded(.up))))
      await send(.ticked)
    }
    .cancellable(id: CancelID.tick, cancelInFlight: true)
  }

  private func show(_ toast: Toast, in state: inout State) -> Effect<Action> {
    state.toast = toast
    return .run { [clock] send in
      try await clock.sleep(for: Self.toastDuration)
      await send(.toastExpired)
    }
    .cancellable(id: CancelID.toast, cancelInFlight: true)
  }

  /// What the person is told about something that a tab has done, and what the root does with it.
  private func announce(_ action: MainTabFeature.Action, in state: inout State) -> Effect<Action> {
    switch action {
    case .checkIn(.checkedIn(let user)):
      let now = dateClient.now()
      let deadline = dateClient.calendar.describe(user.deadline.date, now: now)
      return .merge(
        update(&state) { $0.user = user },
        show(Toast("Checked in. Next deadline \(deadline)."), in: &state))
    case .checkIn(.interval(.presented(.saved(let user)))),
      .profile(.interval(.presented(.saved(let user)))):
      return .merge(
        update(&state) { $0.user = user },
        show(Toast("You now check in every \(user.interval.displayText)."), in: &state))
    case .profile(.edit(.presented(.saved(let user)))):
      return .merge(update(&state) { $0.user = user }, show(Toast("Profile saved."), in: &state))
    case .responders(.destination(.presented(.form(.saved(let contact))))),
      .dependents(.destination(.presented(.form(.saved(let contact))))):
      return show(Toast("\(contact.name) saved."), in: &state)
    case .responders(.destination(.presented(.details(.deleted(let contact))))),
      .dependents(.destination(.presented(.details(.deleted(let contact))))):
      return show(Toast("\(contact.name) removed."), in: &state)
    case .emergency(.raised(let alert)):
      // What was asked about is done.
      state.isConfirmingQuit = false
      // The panel says who is told; here somebody is made to tell them.
      guard state.main?.snapshot.responders.isEmpty == false else { return .none }
      return .merge(startMonitor(), insist(on: alert.id))
    case .alerts(.drillBegun(let drill)):
      return .merge(
        startMonitor(), insist(on: drill.id),
        show(Toast("The drill has begun. Its row says whom it reaches."), in: &state))
    case .emergency(.cancelled(let alert)):
      return show(state.toast(cancelled: alert), in: &state)
    case .profile(.themeFailed(let error)):
      return show(Toast("The theme was not kept: \(error.errorDescription)", .warning), in: &state)
    case .watchButtonTapped:
      return startMonitor()
    default:
      return .none
    }
  }
}

extension AppFeature.State {
  /// What is true of an alert that has just been cancelled.
  fileprivate func toast(cancelled alert: Alert) -> AppFeature.Toast {
    let report = main?.snapshot.alerts.first { $0.id == alert.id }
    let hindrance = main?.snapshot.hindrance
    if report?.isToldToSomebody == true, let hindrance {
      return .init("Alert cancelled. Nobody can be told so: \(hindrance).", .danger)
    }
    // A message may be on its way now.
    guard report?.mayBeKnown == true, hindrance == nil else {
      return .init("Alert cancelled. Nobody had been told.")
    }
    return .init("Alert cancelled. Whoever was told is told so.")
  }

  /// Whether leaving now would drop an alert that is not stored yet.
  var isRaisingAlert: Bool { main?.emergency.phase.isRaising ?? false }

  /// Whether leaving now would lose something typed.
  var hasUnsavedChanges: Bool {
    onboarding?.form.isChanged ?? main?.hasUnsavedChanges ?? false
  }
}
