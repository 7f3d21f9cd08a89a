import Clients
import Domain
import Terminal

extension TextInput {
  /// An empty input for a password or a passphrase, which nothing shows or records.
  static var secret: TextInput { TextInput(limit: 256, isSecure: true) }

  var secret: Secret<String> { Secret(text) }
}

extension Form {
  /// Throws where a field does not repeat another.
  func requireRepetition(of field: Field, in repetition: Field) throws(ValidationError) {
    guard self[field].text == self[repetition].text else { throw .repetition }
  }
}

extension GateError {
  /// What happened, with the end of a lock as the person's clock shows it.
  func text(_ dates: DateClient) -> ErrorText {
    guard case .locked(let end) = self else { return text }
    var text = text
    text.description = "Too many wrong passphrases."
    text.recovery = "Try again \(dates.calendar.describe(end, now: dates.now()))."
    return text
  }
}

extension AuthError {
  /// What happened, with the end of a lock as the person's clock shows it.
  func text(_ dates: DateClient) -> ErrorText {
    switch self {
    case .gate(let error):
      return error.text(dates)
    case .tooManyAttempts(let end):
      var text = text
      text.description = "Too many wrong passwords."
      text.recovery = "Try again \(dates.calendar.describe(end, now: dates.now()))."
      return text
    default:
      return text
    }
  }
}
