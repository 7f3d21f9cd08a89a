import Clients
import Composable
import Domain

/// What the person is told in passing, and what the root does with what its children have done.
extension AppFeature {
  /// What the person is told about something that a tab has done, and what the root does with it.
  func announce(_ action: MainTabFeature.Action, in state: inout State) -> Effect<Action> {
    switch action {
    case .checkIn(.checkedIn(let user)):
      let now = dateClient.now()
      let deadline = dateClient.calendar.describe(user.deadline.date, now: now)
      return .merge(
        update(&state) { $0.user = user },
        show(Toast("Checked in. Next deadline \(deadline)."), in: &state),
        watchBehindTheGate(state))
    case .checkIn(.checkInFailed) where state.main?.selectedTab != .checkIn:
      // The first tab says so itself, as long as it takes.
      guard let text = state.main?.checkIn.error else { return .none }
      return show(Toast("You are NOT checked in: \(text.sentence)", .danger), in: &state)
    case .checkIn(.destination(.presented(let action))): return announce(action, in: &state)
    case .profile(.destination(.presented(let action))): return announce(action, in: &state)
    case .responders(.destination(.presented(let action))),
      .dependents(.destination(.presented(let action))):
      return announce(action, in: &state)
    case .pings(.answered(let user)): return announce(.answered(user), in: &state)
    case .dependents(.orderFailed(let error)):
      return show(Toast("The order was not kept: \(error.errorDescription)", .warning), in: &state)
    case .emergency(.raised(let alert)), .emergency(.moreSent(let alert)):
      // What was asked about is done.
      state.isConfirmingQuit = false
      // The panel says who is told; here somebody is made to tell them.
      guard let main = state.main, !main.snapshot.hasNobodyToTell else { return .none }
      return .merge(startMonitor(), insist(on: alert.id))
    case .emergency(.disarmed): return show(Toast(ArmedAlert.stoppedText), in: &state)
    case .alerts(.drillBegun(let drill)):
      return .merge(
        startMonitor(), insist(on: drill.id),
        show(Toast("The drill has begun. Its row says whom it reaches."), in: &state))
    case .alerts(.reply(.presented(.saved(let response)))):
      return .merge(startMonitor(), show(Toast(response.summary), in: &state))
    case .prompt(.sendButtonTapped): return watchBehindTheGate(state)
    case .emergency(.cancelled(let alert)):
      return .merge(show(state.toast(cancelled: alert), in: &state), watchBehindTheGate(state))
    case .watchButtonTapped: return startMonitor()
    default:
      break
    }
    return .none
  }

  /// What was done in a sheet of the first tab.
  private func announce(
    _ action: CheckInFeature.Destination.Action, in state: inout State
  ) -> Effect<Action> {
    switch action {
    case .interval(.saved(let user)): return announceInterval(of: user, in: &state)
    case .pause(.saved(let user)):
      let now = dateClient.now()
      let next = dateClient.calendar.describe(user.deadline.next(at: now), now: now)
      let isPaused = user.deadline.isPaused(at: now)
      return .merge(
        update(&state) { $0.user = user },
        show(
          Toast(isPaused ? "Paused until \(next)." : "Resumed. Next deadline \(next)."), in: &state),
        watchBehindTheGate(state))
    case .standby(.saved(let standby)):
      return show(
        Toast(standby.isNone ? "Nobody watches when it is off." : "Kept. A monitor sees to it."),
        in: &state)
    default: return .none
    }
  }

  /// What was done in a sheet of the profile.
  private func announce(
    _ action: ProfileFeature.Destination.Action, in state: inout State
  ) -> Effect<Action> {
    switch action {
    case .interval(.saved(let user)): announceInterval(of: user, in: &state)
    case .edit(.saved(let user)):
      .merge(update(&state) { $0.user = user }, show(Toast("Profile saved."), in: &state))
    case .escalation(.saved(let user)):
      .merge(update(&state) { $0.user = user }, show(Toast("Reminders saved."), in: &state))
    case .picture(.saved(let user)):
      .merge(
        update(&state) { $0.user = user }, show(Toast("Name and picture saved."), in: &state),
        showPortrait(state))
    case .settings(.failed(let error)):
      show(Toast("Your choice was not kept: \(error.errorDescription)", .warning), in: &state)
    case .security(.destination(.presented(.gateForm(.saved)))),
      .security(.destination(.presented(.gate(.gateChanged)))):
      startMonitor()
    case .channels(let action): announce(action, in: state)
    default: .none
    }
  }

  private func announceInterval(of user: User, in state: inout State) -> Effect<Action> {
    .merge(
      update(&state) { $0.user = user },
      show(Toast("You now check in every \(user.interval.displayText)."), in: &state))
  }

  /// What was done in a sheet of the contacts.
  private func announce(
    _ action: ContactListFeature.Destination.Action, in state: inout State
  ) -> Effect<Action> {
    switch action {
    case .form(.saved(let contact)): show(Toast("\(contact.name) saved."), in: &state)
    case .codeEntry(.requested(let contact)):
      show(Toast("\(contact.name) has been asked."), in: &state)
    case .details(.deleted(let contact)): show(Toast("\(contact.name) removed."), in: &state)
    case .details(.done(let outcome)): announce(outcome, in: &state)
    case .details(.destination(.presented(.documents(.saved(let path))))):
      show(Toast("Saved as \(path)."), in: &state)
    case .details(.destination(.presented(.channels(let action)))): announce(action, in: state)
    default: .none
    }
  }

  /// Somebody has to send a test, and, where a secret is behind the gate, perhaps something else.
  private func announce(_ action: ChannelsFeature.Action, in state: State) -> Effect<Action> {
    switch action {
    case .testQueued: startMonitor()
    case .secretRead: watchBehindTheGate(state)
    default: .none
    }
  }

  /// What the person is told about something done with a contact.
  private func announce(
    _ outcome: ContactDetailsFeature.Outcome, in state: inout State
  ) -> Effect<Action> {
    switch outcome {
    case .accepted: return show(Toast("Accepted. You are contacts now."), in: &state)
    case .declined: return show(Toast("Declined."), in: &state)
    case .acknowledged: return show(Toast("The others see that you are responding."), in: &state)
    case .pinged: return show(Toast("Pinged."), in: &state)
    case .withdrawn: return show(Toast("The ping is taken back."), in: &state)
    case .copied: return show(Toast("Copied, if your terminal allows it."), in: &state)
    case .answered(let user):
      let deadline = dateClient.calendar.describe(user.deadline.date, now: dateClient.now())
      return .merge(
        update(&state) { $0.user = user },
        show(Toast("Answered and checked in. Next deadline \(deadline)."), in: &state),
        watchBehindTheGate(state))
    }
  }
}

extension AppFeature.State {
  /// What is true of an alert that has just been cancelled.
  fileprivate func toast(cancelled alert: Alert) -> AppFeature.Toast {
    let report = main?.snapshot.alerts.first { $0.id == alert.id }
    let failureReason = main?.snapshot.failureReason
    if report?.isToldToSomebody == true, let failureReason {
      return .init("Alert cancelled. Nobody can be told so: \(failureReason).", .danger)
    }
    // A message may be on its way now.
    guard report?.mayBeKnown == true, failureReason == nil else {
      return .init("Alert cancelled. Nobody had been told.")
    }
    return .init("Alert cancelled. Whoever was told is told so.")
  }
}
