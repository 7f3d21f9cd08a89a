import Clients
import Domain

/// An error of a client that can carry one of the store.
protocol StoreFailure: Error {
  /// This error for whatever was thrown on the way.
  static func wrapping(_ error: any Error) -> Self
}

/// An error of a client that works on the signed-in account.
protocol AccountFailure: StoreFailure {
  static var notAuthenticated: Self { get }
  static func invalid(_ error: ValidationError) -> Self
  static func storage(_ error: StorageError) -> Self
}

/// An error of a client that can say why the gate did not open.
protocol GateFailure: AccountFailure {
  static func gate(_ error: GateError) -> Self
}

/// There is no account yet.
struct NoAccount: Error {}

extension AccountFailure {
  static func wrapping(_ error: any Error) -> Self {
    switch error {
    case let error as Self: error
    case let error as ValidationError: invalid(error)
    case is NoAccount: notAuthenticated
    default: storage(.wrapping(error))
    }
  }
}

extension StorageError: StoreFailure {
  static func wrapping(_ error: any Error) -> Self {
    error as? StorageError ?? .unknown("\(error)")
  }
}

extension AuthError: GateFailure {}
extension UserError: GateFailure {}
extension CheckInError: GateFailure {}
extension ContactsError: GateFailure {}
extension ChannelError: GateFailure {}
extension AlertError: GateFailure {}
extension PingError: GateFailure {}
extension NotificationError: AccountFailure {}
