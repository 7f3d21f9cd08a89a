import Clients
import Composable
import Domain
import Terminal

/// Looks behind the screen: with the true passphrase it says whether a silent alert is on, and ends it
/// (CHK-3). With any other that opens the gate it says that none is.
struct SilentAlertFeature: Reducer {
  struct State: Equatable, Sendable {
    var passphrase = TextInput.secret
    var isWorking = false
    var answer: Answer?
    var error: ErrorText?

  }

  enum Answer: Equatable, Sendable {
    case none
    case on(Alert)
    case ended
  }

  enum Action: Codable, Equatable, Sendable {
    case edited(TextEdit)
    case lookButtonTapped
    case found(Alert?)
    case endButtonTapped
    case ended
    case failed(AuthError)
    case closeButtonTapped
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let edit):
      guard !state.isWorking, state.answer == nil else { return .none }
      state.passphrase.apply(edit)
      state.error = nil
      return .none

    case .lookButtonTapped:
      guard !state.isWorking, state.answer == nil, !state.passphrase.isEmpty else { return .none }
      state.isWorking = true
      state.error = nil
      return .run { [authClient, passphrase = state.passphrase.secret] send in
        do throws(AuthError) {
          await send(.found(try await authClient.silentAlert(passphrase)))
        } catch {
          await send(.failed(error))
        }
      }

    case .found(let alert):
      state.isWorking = false
      state.answer = alert.map { .on($0) } ?? Answer.none
      return .none

    case .endButtonTapped:
      guard !state.isWorking, case .on = state.answer else { return .none }
      state.isWorking = true
      state.error = nil
      return .run { [authClient, passphrase = state.passphrase.secret] send in
        do throws(AuthError) {
          try await authClient.endSilentAlert(passphrase)
          await send(.ended)
        } catch {
          await send(.failed(error))
        }
      }

    case .ended:
      state.isWorking = false
      state.answer = .ended
      return .none

    case .failed(let error):
      state.isWorking = false
      if state.answer == nil { state.passphrase = .secret }
      state.error = error.text(dateClient)
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }
}
