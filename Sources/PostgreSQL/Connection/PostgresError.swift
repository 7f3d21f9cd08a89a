import Clients

/// An error of the server, or of the network before it.
struct PostgresError: Error {
  /// The five characters by which PostgreSQL names it (SQLSTATE).
  var state: String
  /// The primary message. The detail would quote rows.
  var message: String
  /// Whether the connection was lost with it.
  var isLost = false

  /// Whether two transactions conflicted, so that nothing of this one was kept.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// Whether the server ends the connection, or can't be written to any more.
  var endsConnection: Bool {
    state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006" || state == "25P03"
  }

  var isDamage: Bool { state == "XX001" || state == "XX002" }

  var fault: SQLFault {
    switch state {
    case _ where isConflict: .busy
    // Another transaction held a lock, or the server was busy, for longer than the timeouts.
    case "55P03", "57014", "53300": .busy
    case "53100": .full
    case "42501", "28000", "28P01": .notPermitted
    case "3F000", "42P01", "3D000": .missing(place: "in the database")
    case _ where isDamage: .damaged
    case _ where endsConnection || isLost: .connectionLost
    case _ where state.hasPrefix("22") || state.hasPrefix("23"): .invalidValue
    default: .other
    }
  }

  var storageError: StorageError {
    let name = fault == .other ? " (PostgreSQL \(state))" : ""
    return ErrorTransformer.storageError(for: fault, of: "PostgreSQL", saying: message + name)
  }
}
