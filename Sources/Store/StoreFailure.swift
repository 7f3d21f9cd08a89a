package import Clients
import Domain

/// A client's error that can wrap one of the store.
protocol StoreFailure: Error {
  /// Returns an error of this type for any error that was thrown.
  static func wrapping(_ error: any Error) -> Self
}

/// Nobody is signed in, or the account is gone.
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
    switch error {
    case let error as StorageError: error
    case let error as any AppError:
      // Its sentence ends in a full stop, and becomes a part of another one.
      .unknown("\(error.text.description.dropLast()) (\(error.errorCode))")
    // What Swift says of an error names types and may quote what somebody has stored.
    default: .unknown("unexpected \(type(of: error))")
    }
  }
}
