import Domain

/// What is wrong with a store, as far as callers must know it: the result codes of SQLite and the
/// SQLSTATEs of PostgreSQL in one list.
public enum SQLFault: Equatable, Sendable {
  /// Another transaction or program is in the way, and nothing of this one was kept.
  case busy
  case full
  case notPermitted
  /// The store or a part of it isn't there.
  case missing(place: String)
  case damaged
  /// The connection ended before the result was known.
  case connectionLost
  /// A value or its relations break a rule of the store.
  case invalidValue
  case other
}

extension ErrorTransformer {
  /// Returns the error of an operation that the store refused.
  /// - Parameters:
  ///   - engine: The name of the database, for what only it can explain.
  ///   - message: What the database says, without values.
  public static func storageError(
    for fault: SQLFault, of engine: String, saying message: String
  ) -> StorageError {
    switch fault {
    case .busy: .busy
    case .full: .full
    case .notPermitted: .permissionDenied(message)
    case .missing(let place): .missing(path: place)
    case .damaged: .corrupt(detail: "\(engine) says: \(message).")
    case .connectionLost: .unknown("the connection to the database was lost: \(message)")
    case .invalidValue: .serialization(message)
    case .other: .unknown(message)
    }
  }

  /// Says what an error is without the values that it carries: its own description, the place where
  /// data have another shape, or its type.
  public static func summary(of error: any Error) -> String {
    switch error {
    case let error as any AppError: return error.errorDescription
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      return "the data have another shape than expected" + place(context.codingPath)
    case DecodingError.keyNotFound(let key, let context):
      return "“\(key.stringValue)” is missing" + place(context.codingPath)
    case EncodingError.invalidValue(_, let context):
      return "a value can't be encoded" + place(context.codingPath)
    case let error as any Error & CustomStringConvertible: return error.description
    default: return "unexpected error \(type(of: error))"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "" : " at " + path.map(\.stringValue).joined(separator: ".")
  }
}
