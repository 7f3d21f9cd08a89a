public import Domain
public import FoundationEssentials

/// How an exchange with a service went wrong, as the layer that carried it knows it.
public enum HTTPFailure: Error, Equatable, Sendable {
  /// An answer with a status of 400 and above, its Retry-After field, and what its body says of the
  /// fields of the request, each reason in one printable line.
  case status(Int, retryAfter: String? = nil, reasons: [String] = [])
  case offline
  case connectionLost
  case hostNotFound
  case timedOut
  /// TLS could not be agreed upon, or a certificate is not good.
  case notTrusted
}

/// Turns what goes wrong between programs into errors that a person can read; none of the former is
/// ever shown as it is.
public enum ErrorTransformer {
  /// - Parameter now: What a Retry-After that names a date is measured from.
  public static func appError(for failure: HTTPFailure, now: Date) -> any AppError {
    switch failure {
    case .offline, .connectionLost, .hostNotFound: NetworkError.connectionFailed
    case .timedOut: NetworkError.timeout
    case .notTrusted: NetworkError.notTrusted
    case .status(422, _, let reasons):
      RequestError.unprocessable(reasons: reasons)
    case .status(let status, let retryAfter, _):
      appError(status: status, retryAfter: retryAfter, now: now)
    }
  }

  private static func appError(
    status: Int, retryAfter: String?, now: Date
  ) -> any AppError {
    switch status {
    case 400: ValidationError.rejected
    case 401: AuthorizationError.unauthorized
    case 403: AuthorizationError.forbidden
    case 404, 410: NetworkError.resourceNotFound
    case 408: NetworkError.timeout
    case 409: RequestError.conflict
    case 429:
      NetworkError.rateLimited(retryAfter: retryAfter.flatMap { RetryAfter.span($0, now: now) })
    case 500...599: NetworkError.serverError(status)
    default: NetworkError.unexpectedAnswer(status)
    }
  }
}

/// The field of RFC 9110 §10.2.3: seconds, or a date.
public enum RetryAfter {
  /// What a service may ask for at most; it cannot make us wait for ever.
  public static let limit = TimeSpan.days(1)

  /// - Returns: `nil` for what is neither; zero for a date that is over.
  public static func span(_ text: String, now: Date) -> TimeSpan? {
    let text = text.trimmingWhitespace()
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int(text).map { min(.seconds($0), limit) } ?? limit
    }
    guard let date = date(text) else { return nil }
    let seconds = date.timeIntervalSince(now).rounded(.up)
    return .seconds(Int(min(max(0, seconds), Double(limit.seconds))))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, the form that services have to write.
  public static func date(_ text: String) -> Date? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", let day = Int(words[1]),
      let month = months.firstIndex(of: String(words[2])), let year = Int(words[3])
    else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year),
      (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    let time = CivilTime(
      year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2],
      weekday: 0)
    let seconds = time.dayNumber * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    return Date(timeIntervalSince1970: Double(seconds))
  }
}
