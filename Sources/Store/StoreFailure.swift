package import Clients
import Domain

/// An error of a client that can carry one of the store.
protocol StoreFailure: Error {
  /// This error for whatever was thrown on the way.
  static func wrapping(_ error: any Error) -> Self
}

/// There is no account yet.
struct NoAccount: Error {}

extension ClientError: StoreFailure {
  static func wrapping(_ error: any Error) -> Self {
    switch error {
    case let error as Self: error
    case let error as ValidationError: .invalid(error)
    case is NoAccount: .notAuthenticated
    default: .storage(.wrapping(error))
    }
  }
}

extension StorageError: StoreFailure {
  package static func wrapping(_ error: any Error) -> Self {
    error as? StorageError ?? .unknown("\(error)")
  }
}
