import Clients
import Domain
import FoundationEssentials
import Terminal

extension TextInput {
  /// An empty input for a password or passphrase, which is neither shown nor recorded.
  static var secret: TextInput { TextInput(limit: 256, isSecure: true) }

  var secret: Secret<String> { Secret(text) }
}

extension Form {
  /// Throws if the text of `repetition` differs from that of `field`.
  func requireRepetition(of field: Field, in repetition: Field) throws(ValidationError) {
    guard self[field].text == self[repetition].text else { throw .repetition }
  }
}

extension GateError {
  /// The error's text, with the time at which to try again in the person's calendar.
  func text(_ dates: DateClient) -> ErrorText {
    func describe(_ end: Date) -> String { dates.calendar.describe(end, now: dates.now()) }
    var text = text
    switch self {
    case .required, .wrong: break
    case .locked(let end): text.recovery = "Try again \(describe(end))."
    case .afterReset(let end):
      text.recovery =
        "Do it again \(describe(end)). You can check in and raise alerts at any time."
    }
    return text
  }
}

extension ClientError {
  /// The error's text, with the time at which to try again in the person's calendar.
  func text(_ dates: DateClient) -> ErrorText {
    switch self {
    case .gate(let error): return error.text(dates)
    case .tooManyAttempts(let end):
      var text = text
      text.recovery = "Try again \(dates.calendar.describe(end, now: dates.now()))."
      return text
    default:
      return text
    }
  }
}
