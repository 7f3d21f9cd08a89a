import Clients
import Testing

@testable import PostgreSQL

@Suite("PostgreSQL error codes") struct ErrorTests {
  @Test(
    "Each SQLSTATE maps to its storage error",
    arguments: [
      ("40001", .busy), ("40P01", .busy), ("55P03", .busy), ("57014", .busy), ("53300", .busy),
      ("53100", .full), ("42501", .permissionDenied("no")), ("28P01", .permissionDenied("no")),
      ("42P01", .missing(path: "in the database")),
      ("XX001", .corrupt(detail: "PostgreSQL says: no.")),
      ("08006", .unknown("the connection to the database was lost: no")),
      ("22001", .serialization("no")), ("23505", .serialization("no")),
      ("42703", .unknown("no (PostgreSQL 42703)")),
    ] as [(String, StorageError)])
  func kinds(state: String, error: StorageError) {
    #expect(PostgresError(state: state, message: "no").storageError == error)
  }
}
