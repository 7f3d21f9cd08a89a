import Clients
import Domain
import FoundationEssentials
import Testing

/// Transport failures become errors that a person can read.
@Suite struct ErrorTransformerTests {
  /// Sunday, 1994-11-06 08:49:37 UTC.
  let now = Date(timeIntervalSince1970: 784_111_777)

  func code(_ failure: HTTPFailure) -> String {
    ErrorTransformer.appError(for: failure, now: now).errorCode
  }

  @Test(
    "Each status has its error",
    arguments: [
      (400, "REQUEST_REJECTED", ErrorFamily.validation, false),
      (401, "UNAUTHORIZED", .infrastructure, false),
      (403, "FORBIDDEN", .infrastructure, false),
      (404, "RESOURCE_NOT_FOUND", .infrastructure, false),
      (408, "TIMEOUT", .infrastructure, true),
      (409, "REQUEST_CONFLICT", .domain, false),
      (410, "RESOURCE_NOT_FOUND", .infrastructure, false),
      (418, "UNEXPECTED_ANSWER", .infrastructure, false),
      (422, "REQUEST_UNPROCESSABLE", .domain, false),
      (429, "RATE_LIMITED", .infrastructure, true),
      (500, "SERVER_ERROR", .infrastructure, true),
      (503, "SERVER_ERROR", .infrastructure, true),
      (599, "SERVER_ERROR", .infrastructure, true),
      (302, "UNEXPECTED_ANSWER", .infrastructure, false),
    ] as [(Int, String, ErrorFamily, Bool)])
  func status(_ status: Int, code: String, family: ErrorFamily, isRetryable: Bool) {
    let error = ErrorTransformer.appError(for: .status(status), now: now)
    #expect(error.errorCode == code)
    #expect(error.family == family)
    #expect(error.isRetryable == isRetryable)
    #expect(error.errorDescription.hasSuffix("."))
  }

  @Test("What the service says of single fields is passed on")
  func reasons() {
    let failure = HTTPFailure.status(422, reasons: ["name: too long", "email: missing"])
    let error = ErrorTransformer.appError(for: failure, now: now)
    #expect(
      error.text.sentence
        == "The service cannot do what it was asked: name: too long; email: missing."
        + " Change that and try again.")
  }

  @Test("What never became an answer")
  func transport() {
    for failure in [HTTPFailure.offline, .connectionLost, .hostNotFound] {
      #expect(code(failure) == "CONNECTION_FAILED")
    }
    #expect(code(.timedOut) == "TIMEOUT")
    #expect(code(.notTrusted) == "NOT_TRUSTED")
    #expect(!ErrorTransformer.appError(for: .notTrusted, now: now).isRetryable)
  }

  @Test(
    "Retry-After is seconds or a date, at most a day",
    arguments: [
      ("120", 120), (" 0 ", 0), ("99999999999999999999", 86_400), ("86401", 86_400),
      ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
      ("Sun, 06 Nov 2094 08:49:37 GMT", 86_400), ("soon", nil), ("-5", nil), ("", nil),
      ("Sun, 99 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
      ("1.5", nil),
    ] as [(String, Int?)])
  func retryAfter(_ text: String, seconds: Int?) throws {
    let error = ErrorTransformer.appError(for: .status(429, retryAfter: text), now: now)
    let limited = try #require(error as? NetworkError)
    #expect(limited == .rateLimited(retryAfter: seconds.map { .seconds($0) }))
  }
}
