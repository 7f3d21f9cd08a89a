import Domain
import Synchronization

/// The signed-in account, shared by test clients.
final class LockedState: Sendable {
  private let state: Mutex<AuthState>
  init(_ state: AuthState) { self.state = Mutex(state) }

  var value: AuthState {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
