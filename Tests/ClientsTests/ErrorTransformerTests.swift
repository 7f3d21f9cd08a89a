import Clients
import Domain
import FoundationEssentials
import Testing

/// The result of a request to a server becomes an error that a person can read.
@Suite struct ErrorTransformerTests {
  @Test(
    "The error of a failed answer depends on its status and on who answered, server or proxy",
    arguments: [
      (426, "VERSION_REFUSED", "VERSION_REFUSED", false),
      (429, "RATE_LIMITED", "RATE_LIMITED", true),
      (500, "SERVER_ERROR", "SERVER_ERROR", true),
      (599, "SERVER_ERROR", "SERVER_ERROR", true),
      (502, "SERVER_ERROR", "SERVER_UNREACHABLE", true),
      (503, "SERVER_ERROR", "SERVER_UNREACHABLE", true),
      (504, "SERVER_ERROR", "SERVER_UNREACHABLE", true),
    ] as [(Int, String, String, Bool)])
  func status(_ status: Int, own: String, foreign: String, isRetryable: Bool) {
    let errors = [
      ErrorTransformer.networkError(status: status),
      ErrorTransformer.networkError(status: status, inPlaceOf: "example.org"),
    ]
    #expect(errors.map(\.errorCode) == [own, foreign])
    #expect(errors.allSatisfy { $0.isRetryable == isRetryable })
  }

  @Test(
    "An answer that isn't from LifeSignal is reported as such, with its status",
    arguments: [200, 302, 400, 401, 403, 404, 405, 410, 418, 422])
  func foreignAnswer(status: Int) {
    #expect(
      ErrorTransformer.networkError(status: status, inPlaceOf: "example.org")
        == .notLifeSignal(status))
  }

  @Test("404 or 405 from a server means an unknown operation; other statuses are unexpected")
  func ownAnswer() {
    for status in [404, 405] {
      #expect(ErrorTransformer.networkError(status: status) == .operationUnknown)
    }
    for status in [302, 400, 403, 409, 418] {
      #expect(ErrorTransformer.networkError(status: status) == .unexpectedAnswer(status))
    }
  }

  @Test("The wait that a server asks for is kept in the error")
  func wait() {
    let error = ErrorTransformer.networkError(status: 429, retryAfter: .minutes(2))
    #expect(error == .rateLimited(retryAfter: .minutes(2)))
    #expect(error.recoverySuggestion == "Try again in 2 minutes.")
  }

  @Test("The error of an unanswered request names the server, never its IP address")
  func faults() {
    let kind = HTTPFailureKind(cause: .timedOut, text: "Timeout at 192.0.2.7")
    let unreachable: [HTTPFault] = [
      .notSent(kind), .unanswered(kind), .cancelled, .unusable("no"),
      .refusedAddress("192.0.2.7", isLiteral: true),
    ]
    for fault in unreachable {
      let error = ErrorTransformer.networkError(for: fault, from: "example.org")
      #expect(error == .serverUnreachable("example.org"))
      #expect(!error.text.sentence.contains("192.0.2.7"))
    }
    let others: [(HTTPFault, NetworkError)] = [
      (.notStarted, .libraryMissing), (.notTrusted, .notTrusted), (.otherKey, .otherKey),
      (.replyTooLarge, .answerTooLarge),
    ]
    for (fault, error) in others {
      #expect(ErrorTransformer.networkError(for: fault, from: "example.org") == error)
    }
  }

  @Test(
    "Retry-After is a number of seconds or a date, and at most a day",
    arguments: [
      ("120", 120), (" 0 ", 0), ("99999999999999999999", 86_400), ("86401", 86_400),
      ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
      ("Sun, 06 Nov 2094 08:49:37 GMT", 86_400), ("soon", nil), ("-5", nil), ("", nil),
      ("Sun, 99 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
      ("1.5", nil),
    ] as [(String, Int?)])
  func retryAfter(_ text: String, seconds: Int?) {
    // Sunday, 1994-11-06 08:49:37 UTC.
    let now = Date(timeIntervalSince1970: 784_111_777)
    #expect(RetryAfter.span(text, now: now) == seconds.map { .seconds($0) })
  }

  @Test(
    "Each kind of database fault becomes one store error",
    arguments: [
      (.busy, .busy), (.full, .full), (.notPermitted, .permissionDenied("it says why")),
      (.missing(place: "there"), .missing(path: "there")),
      (.damaged, .corrupt(detail: "SQLite says: it says why.")),
      (.connectionLost, .unknown("the connection to the database was lost: it says why")),
      (.invalidValue, .serialization("it says why")), (.other, .unknown("it says why")),
    ] as [(SQLFault, StorageError)])
  func databases(fault: SQLFault, error: StorageError) {
    #expect(
      ErrorTransformer.storageError(for: fault, of: "SQLite", saying: "it says why") == error)
  }

  private struct Person: Codable {
    var name: String
    var phones: [Int]
  }

  @Test(
    "A decoding error names the place and never contains the value",
    arguments: [
      (#"{"name":"Ida","phones":[1,"secret"]}"#, "at phones.Index 1"),
      (#"{"name":7,"phones":[]}"#, "at name"), (#"{"phones":[]}"#, "“name” is missing"),
      ("secret", "another shape"),
    ])
  func decoding(json: String, place: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Person.self, from: Data(json.utf8))
    }
    let summary = error.map(ErrorTransformer.summary) ?? ""
    #expect(summary.contains(place) && !summary.contains("secret"), "\(summary)")
  }

  @Test("An unknown error is shown by its type or description, without its values")
  func unexpected() {
    struct Leak: Error { var password = "secret" }
    struct Said: Error, CustomStringConvertible { var description: String { "the tape is cut" } }
    #expect(ErrorTransformer.summary(of: Leak()) == "unexpected error Leak")
    #expect(ErrorTransformer.summary(of: Said()) == "the tape is cut")
    #expect(
      ErrorTransformer.summary(of: StorageError.busy) == StorageError.busy.errorDescription)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Double.nan) }
    let error = EncodingError.invalidValue(
      "secret", .init(codingPath: [], debugDescription: "secret"))
    #expect(ErrorTransformer.summary(of: error) == "a value can't be encoded")
  }
}
