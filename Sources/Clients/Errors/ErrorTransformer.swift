public import Domain
public import FoundationEssentials

/// The translation of the result of a request to a LifeSignal server into an error that a person can
/// read. What libcurl or a proxy says is never shown.
public enum ErrorTransformer {
  /// Returns the error of a request that got no answer.
  /// - Parameter server: The server's name.
  public static func networkError(for fault: HTTPFault, from server: String) -> NetworkError {
    switch fault {
    case .notStarted: .libraryMissing
    case .notTrusted: .notTrusted
    case .otherKey: .otherKey
    case .replyTooLarge: .answerTooLarge
    case .unusable, .refusedAddress, .notSent, .unanswered, .cancelled: .serverUnreachable(server)
    }
  }

  /// Returns the error of an answer that isn't what was asked for, and gives no reason that a person
  /// could use.
  /// - Parameters:
  ///   - retryAfter: The wait that the answer asks for.
  ///   - server: The server in whose place something else has answered, such as a proxy; `nil` if
  ///     the server itself did.
  public static func networkError(
    status: Int, retryAfter: TimeSpan? = nil, inPlaceOf server: String? = nil
  ) -> NetworkError {
    switch (status, server) {
    case (426, _): .versionRefused
    case (429, _): .rateLimited(retryAfter: retryAfter)
    // The answer of a proxy whose server is away.
    case (502...504, let server?): .serverUnreachable(server)
    case (500..., _): .serverError(status)
    // What a person can't see has a reason.
    case (404, nil), (405, nil): .operationUnknown
    case (_, nil): .unexpectedAnswer(status)
    default: .notLifeSignal(status)
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
