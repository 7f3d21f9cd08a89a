import PostgreSQL
import PostgresTesting
import ServerTesting

/// The engines that a server's store can have.
enum Engine: String {
  case sqlite, postgresql

  /// Those that this machine has.
  static let all: [Engine] = PostgresServer.absence == nil ? [.sqlite, .postgresql] : [.sqlite]

  /// Makes a server over an empty store, with the clock of the test.
  func makeWorld(proxy: String? = nil) throws -> ServerWorld {
    guard self == .postgresql else { return try ServerWorld(proxy: proxy) }
    let connection = try PostgresServer.shared.get().makeDatabase().connection(as: .server)
    return try ServerWorld(
      makeLane: { try PostgresPlatform(connection, now: $0).makeLane() }, proxy: proxy)
  }
}
