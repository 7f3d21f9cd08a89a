import Clients

/// What the server, or the network before it, says is wrong.
struct PostgresError: Error {
  /// The five characters by which PostgreSQL names it.
  var state: String
  /// The first sentence. The detail behind it would quote rows.
  var message: String
  /// Whether the connection has ended with it.
  var isLost = false

  /// Two transactions stood in each other's way, and nothing of this one was kept.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// The server ends the connection, or cannot be written to any more.
  var endsConnection: Bool {
    state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006" || state == "25P03"
  }

  var isDamage: Bool { state == "XX001" || state == "XX002" }

  var storageError: StorageError {
    switch state {
    case _ where isConflict: .busy
    // Somebody held a lock, or the server was busy, for longer than its time-outs.
    case "55P03", "57014", "53300": .busy
    case "53100": .full
    case "42501", "28000", "28P01": .permissionDenied(message)
    case "3F000", "42P01", "3D000": .missing(path: "in the database")
    case _ where isDamage: .corrupt(detail: "PostgreSQL says: \(message).")
    case _ where endsConnection || isLost:
      .unknown("the connection to the database was lost: \(message)")
    case _ where state.hasPrefix("22") || state.hasPrefix("23"): .serialization(message)
    default: .unknown("\(message) (PostgreSQL \(state))")
    }
  }
}
