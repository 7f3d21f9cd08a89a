public import Domain
public import FoundationEssentials

/// A failed exchange with a service, as the transport layer reports it.
public enum HTTPFailure: Error, Equatable, Sendable {
  /// A response with a status of 400 or above, its Retry-After field, and the reasons that its body
  /// gives for single fields of the request, each in one printable line.
  case status(Int, retryAfter: String? = nil, reasons: [String] = [])
  case offline
  case connectionLost
  case hostNotFound
  case timedOut
  /// TLS could not be negotiated, or a certificate is not valid.
  case notTrusted
}

/// The translation of transport failures into errors that a person can read. The failures themselves
/// are never shown.
public enum ErrorTransformer {
  /// - Parameter now: The time from which a date in Retry-After is measured.
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

/// The Retry-After field of RFC 9110 §10.2.3: seconds, or a date.
public enum RetryAfter {
  /// The longest wait that a service can ask for.
  public static let limit = TimeSpan.days(1)

  /// - Returns: `nil` for any other text; zero for a date in the past.
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

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the form that services must write.
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
