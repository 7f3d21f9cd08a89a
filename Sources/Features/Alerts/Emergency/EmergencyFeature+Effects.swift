import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Terminal

/// The requests to the store and the timers behind the emergency key.
extension EmergencyFeature {
  /// Arms an alert and makes sure that a monitor is running to raise it.
  func begin(_ state: inout State) -> Effect<Action> {
    state.begin(Armed(uuid()))
    return .merge(
      countDown(), storeArmedAlert(&state),
      // A failed start isn't reported here: the panel shows whatever keeps the alert from going
      // out.
      .run { [watchClient] _ in try? await watchClient.start() })
  }

  /// Gets the person's attention: the alert that they rely on isn't sent.
  func callAttention(_ state: State) -> Effect<Action> {
    let news = state.armed?.mayBeStored == true ? "may NOT be sent" : "is NOT SENT"
    return .run { [attentionClient] _ in
      await attentionClient.call("LifeSignal", "Your alert \(news)", true)
    }
  }

  func retry() -> Effect<Action> {
    .run { [clock] send in
      try await clock.sleep(for: Self.retryDelay)
      await send(.retryTicked)
    }
    .cancellable(id: CancelID.retry, cancelInFlight: true)
  }

  /// Stores the armed alert, or raises it once no time is left. Falls back to the spool file if the
  /// store fails. Only one request runs at a time: a change made in the meantime marks the alert
  /// stale and is stored after the answer, so that an older request can't overwrite a newer one.
  func storeArmedAlert(_ state: inout State) -> Effect<Action> {
    guard var armed = state.armed else { return .none }
    let isFirstChange = !armed.isStale
    armed.isStale = armed.isStoring
    defer { state.armed = armed }
    let (id, delay) = (armed.id, TimeSpan.seconds(armed.secondsLeft))
    guard !armed.isStoring else {
      // A locked store takes seconds to refuse; until then, a monitor reads the file. It is written
      // for the first change only, which postpones the alert for longer than that, and to send it now.
      guard accountHost.serverName == nil, isFirstChange || armed.secondsLeft == 0 else {
        return .none
      }
      return .run { [alertClient, message = state.message.text] _ in
        _ = try? await alertClient.spool(id, message, delay)
      }
    }
    armed.isStoring = true
    return .run { [alertClient, message = state.message.text] send in
      do throws(ClientError) {
        await send(Action(try await alertClient.arm(id, message, delay)))
      } catch {
        guard case .storage = error else { return await send(.raiseFailed(error)) }
        do throws(ClientError) {
          await send(.kept(try await alertClient.spool(id, message, delay), error))
        } catch _ {
          await send(.raiseFailed(error))
        }
      }
    }
  }

  /// Restarts the countdown after each key typed into the message, up to the longest delay.
  func postpone(_ state: inout State) -> Effect<Action> {
    guard let armed = state.armed, armed.secondsLeft > 0 else { return .none }
    state.armed?.secondsLeft = max(
      1,
      min(
        ArmedAlert.writingDelay.seconds, ArmedAlert.longestDelay.seconds - armed.elapsed))
    return .merge(countDown(), storeArmedAlert(&state))
  }

  func raise(_ state: inout State) -> Effect<Action> {
    state.armed?.secondsLeft = 0
    if state.phase != .writingMessage { state.phase = .storing }
    return .merge(
      .cancel(id: CancelID.countdown), .cancel(id: CancelID.retry), storeArmedAlert(&state))
  }

  func stop(_ state: inout State) -> Effect<Action> {
    guard let armed = state.armed else {
      state.phase = .idle
      return .none
    }
    state.phase = .stopping
    return .merge(
      .cancel(id: CancelID.countdown), .cancel(id: CancelID.retry),
      .request(.disarmed, or: Action.disarmFailed) { () throws(ClientError) in
        try await alertClient.disarm(armed.id)
      })
  }

  /// Sends text that was typed after the alert was raised as a second message.
  func sendMore(_ state: inout State, _ alert: Alert) -> Effect<Action> {
    state.phase = .raised(alert)
    state.messageProblem = nil
    let text = state.message.text
    guard !text.isEmpty else { return .none }
    return .run { [alertClient] send in
      do throws(ClientError) {
        guard case .raised(let alert) = try await alertClient.arm(alert.id, text, .zero) else {
          return
        }
        await send(.moreSent(alert))
      } catch {
        await send(.moreRefused(alert, error))
      }
    }
  }

  func cancelAlert(_ state: inout State) -> Effect<Action> {
    state.phase = .storingCancellation
    state.isLingering = true
    return .merge(
      .cancel(id: CancelID.bar), .cancel(id: CancelID.hold),
      after(Self.lingering, .lingeringEnded, id: .lingering),
      .request(Action.cancelled, or: Action.cancellationFailed) {
        [alertClient, clock] () throws(ClientError) in
        let result: Result<Alert, ClientError>
        do throws(ClientError) { result = .success(try await alertClient.cancel()) } catch {
          result = .failure(error)
        }
        try? await clock.sleep(for: .seconds(Self.lingering.seconds))
        return try result.get()
      })
  }

  func countDown() -> Effect<Action> {
    after(.seconds(1), .countdownTicked, id: .countdown)
  }

  func after(_ span: TimeSpan, _ action: Action, id: CancelID) -> Effect<Action> {
    .run { [clock] send in
      try await clock.sleep(for: .seconds(span.seconds))
      await send(action)
    }
    .cancellable(id: id, cancelInFlight: true)
  }
}

extension EmergencyFeature.Action {
  /// The action for the store's answer to arming an alert.
  fileprivate init(_ arming: Arming) {
    self =
      switch arming {
      case .armed(let armed): .armed(armed)
      case .raised(let alert): .raised(alert)
      case .stopped: .disarmed
      }
  }
}
