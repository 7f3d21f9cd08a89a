import Clients
import Composable
import Domain
import FoundationEssentials

/// The root's effects.
extension AppFeature {
  /// Finds the signed-in account, retrying until it is known. Starts with the account from the
  /// server's last answer, if there is one; the streams correct it if it has changed.
  func findAccount(notice: String? = nil) -> Effect<Action> {
    .run { [authClient, userClient, accountHost, connectionClient, clock] send in
      connectionClient.showLastKnown()
      if let user = connectionClient.lastUser() {
        await send(.accountFound(user))
        let items = connectionClient.lastNotifications(Self.notificationLimit)
        return await send(.changed(.lastNotifications(items)))
      }
      var failures = 0
      while true {
        do {
          let email = authClient.requestedAddress()
          switch try await authClient.state() {
          case .signedIn: await send(.accountFound(try await userClient.currentUser()))
          // With an address, the person must sign in or sign up.
          case .newcomer where email == nil: await send(.accountMissing)
          case .newcomer, .signedOut:
            var notice = notice
            if accountHost != .thisMachine, let reason = await userClient.refusal() {
              notice = [notice == Self.endedElsewhere ? nil : notice, reason].compactMap(\.self)
                .joined(separator: " ")
            }
            await send(.signInNeeded(email: email, notice: notice))
          }
          return
        } catch {
          failures += 1
          await send(.accountFailed(.of(error)))
          try await clock.sleep(for: .pause(afterFailures: failures))
        }
      }
    }
    .cancellable(id: CancelID.account, cancelInFlight: true)
  }

  /// Returns to the first message if the person left onboarding without sending or postponing it
  /// (ONB-4).
  func findFirstMessage() -> Effect<Action> {
    guard accountHost == .thisMachine else { return .none }
    return .run { [storageClient, contactsClient] send in
      guard let open = try? await storageClient.value(OpenFirstMessage.self, at: .firstMessage),
        let contacts = try? await contactsClient.contacts(),
        let channel = contacts.first(where: { $0.name == open.responder })?.channels.first
      else { return }
      await send(
        .firstMessageLeft(
          responder: open.responder, ChannelDraft(channel.kind, channel.address)))
    }
  }

  /// Takes over the choices that versions up to November 2026 kept as documents of the account.
  func adoptSettings(_ state: State) -> Effect<Action> {
    guard !state.terminalSettings.hasAdopted else { return .none }
    return .run { [storageClient] send in
      let appearance = try await storageClient.value(Appearance.self, at: .appearance)
      let lists = try await storageClient.value(ListChoices.self, at: .lists)
      await send(.settingsAdopted(appearance, lists))
    } catch: { _, _ in
      // Tried again at the next start.
    }
  }

  private static let endedElsewhere =
    "You have been signed out: the session expired or was ended on another device."

  /// Clears the loaded account and finds out who is signed in (AUTH-2).
  func endSession(_ state: inout State) -> Effect<Action> {
    guard let main = state.main else { return .none }
    let sessionEndReason = main.path.lazy.compactMap(\.state.sessionEndReason).first
    let notice =
      switch sessionEndReason {
      case .signOut: "You have signed out. Your deadline keeps running."
      case .deletion: "Your account is deleted."
      case nil where state.isAlertArmed:
        "You have been signed out. Your alert is sent anyway."
      case nil where state.isRaisingAlert:
        "You have been signed out, and your alert was NOT raised. Call for help yourself."
      case nil: Self.endedElsewhere
      }
    // A monitor must notify the responders of the deletion.
    let deletion = sessionEndReason == .deletion ? startMonitor() : .none
    state.main = nil
    state.toast = nil
    state.isConfirmingQuit = false
    return .merge(
      deletion,
      .cancel(id: CancelID.streams), .cancel(id: CancelID.tick), .cancel(id: CancelID.toast),
      findAccount(notice: notice))
  }

  /// Loads the person's picture if it has changed.
  func showPortrait(_ state: State) -> Effect<Action> {
    guard let main = state.main, main.profile.portrait.id != main.snapshot.user.picture else {
      return .none
    }
    return .send(.main(.profile(.portrait(.wanted(main.snapshot.user.picture)))))
  }

  func startMonitor() -> Effect<Action> {
    .request(or: { .monitorFailed($0.text) }) { () throws(StorageError) in
      try await watchClient.start()
    }
  }

  /// Starts another monitor if nobody has begun to send anything for an alert after
  /// ``stallTimeout``: the one that seems to be alive may hang, or may have been killed. A server
  /// that is slow to answer is no reason.
  func startAnotherMonitorIfStalled(for alert: Alert.ID) -> Effect<Action> {
    .run { [alertClient, watchClient, clock] _ in
      try await clock.sleep(for: Self.stallTimeout)
      let reports = try await alertClient.history(Self.historyLimit)
      guard let report = reports.first(where: { $0.id == alert }), report.alert.isActive,
        report.messages.allSatisfy({ $0.state == .pending && $0.error == nil && $0.begunAt == nil })
      else { return }
      // Another monitor would miss the same settings.
      let status = try await watchClient.status()
      let kinds = Set(report.messages.map(\.channel))
      let reason = status.monitors > 0 ? status.failureReason(on: kinds) : nil
      guard kinds.isEmpty || reason == nil else { return }
      try await watchClient.startAnother()
    } catch: { _, _ in
      // The watch status shows why it fails.
    }
  }

  /// Updates the tabs' snapshot and its time, and schedules the next visible change.
  func update(
    _ state: inout State, _ change: (inout AccountSnapshot) -> Void
  ) -> Effect<Action> {
    guard var snapshot = state.main?.snapshot else { return .none }
    snapshot.now = dateClient.now()
    change(&snapshot)
    state.main?.show(snapshot)
    return scheduleTick(state)
  }

  /// Calls the person once for each new notification that must not wait, and shows a toast for a
  /// responder's answer (NOT-2). Urgent ones ring even while the terminal has the focus, which
  /// doesn't mean that its person is awake; others are announced only while it hasn't.
  func alertPerson(about items: [NotificationItem], in state: inout State) -> Effect<Action> {
    // Notifications carry the time of the server's clock.
    let start = state.newNotificationsStart.map { $0 + connectionClient.clockLead() }
    let known =
      state.knownNotifications
      ?? start.map { start in Set(items.lazy.filter { $0.date < start }.map(\.id)) }
    state.knownNotifications = Set(items.map(\.id))
    guard let known else { return .none }
    let new = items.prefix { !known.contains($0.id) }.filter { !$0.isRead }
    let answer = new.first { [.alertAcknowledged, .alertWithdrawn].contains($0.kind) }
    let toast = answer.map {
      showToast(
        ToastMessage("\($0.title).", $0.kind == .alertWithdrawn ? .danger : .calm), in: &state)
    }
    let isActive = state.isActive
    let pressing = new.filter {
      $0.kind.priority == .high || $0.kind.priority == .medium && !isActive
    }
    guard !pressing.isEmpty else { return toast ?? .none }
    return .merge(
      toast ?? .none,
      .run { [attentionClient] _ in
        for item in pressing.reversed() {
          await attentionClient.call("LifeSignal", item.callText, item.kind.priority == .high)
        }
      })
  }

  func scheduleTick(_ state: State) -> Effect<Action> {
    guard let snapshot = state.main?.snapshot else { return .none }
    let wait = snapshot.nextVisibleChange.timeIntervalSince(snapshot.now)
    return .run { [clock] send in
      try await clock.sleep(for: .milliseconds(Int(bounded: (wait * 1000).rounded(.up))))
      await send(.ticked)
    }
    .cancellable(id: CancelID.tick, cancelInFlight: true)
  }

  func showToast(_ toast: ToastMessage, in state: inout State) -> Effect<Action> {
    // A calm toast must not replace a held warning: the panel already says as much.
    if toast.tone == .calm, let held = state.toast, held.tone != .calm, !state.isEmergencyIdle {
      return .none
    }
    state.toast = toast
    state.isToastHeld = false
    return expireToast()
  }

  func expireToast() -> Effect<Action> {
    .run { [clock] send in
      try await clock.sleep(for: Self.toastDuration)
      await send(.toastExpired)
    }
    .cancellable(id: CancelID.toast, cancelInFlight: true)
  }
}

extension UserClient {
  /// The reason why a server rejects the session, or `nil` if the session has ended or the server
  /// is away.
  fileprivate func refusal() async -> String? {
    do throws(ClientError) {
      _ = try await currentUser()
      return nil
    } catch {
      return error.needsSignIn || error.text.isRetryable ? nil : error.text.sentence
    }
  }
}
