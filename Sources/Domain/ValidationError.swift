/// The reason why typed input can't be used, shown under the field.
public enum ValidationError: AppError, Codable {
  /// A name is empty or longer than 50 characters after trimming (ONB-2).
  case nameLength(Int)
  /// A name has more than 200 bytes (ONB-2).
  case nameBytes
  /// A name contains a character that isn't a letter, a mark, a digit, a space, an emoji or one of
  /// a few signs (ONB-2).
  case nameCharacter(String)
  /// A name has neither a letter nor a digit (ONB-2).
  case nameLetter
  /// A phone number has no country code, or not as many digits as a number has (ONB-2).
  case phone
  /// A phone number contains another character (ONB-2).
  case phoneCharacter(String)
  /// It isn't clear which digits are dialled only within the country (ONB-2).
  case phonePrefix
  /// A phone number is longer than those of its country code (ONB-2).
  case phoneLength(_ code: String)
  /// An extension or a second number follows a phone number (ONB-2).
  case phoneExtension
  /// An emergency note is longer than 2,000 characters (ONB-2).
  case noteLength(Int)
  /// An address is longer than 200 characters (ONB-2).
  case addressLength(Int)
  /// The text about how to get in is longer than 500 characters (ONB-2).
  case accessLength(Int)
  /// A text is not an e-mail address that a mail server would accept.
  case email
  /// An address contains a letter outside ASCII.
  case emailLetter(String)
  /// A text is not a name with an e-mail address in angle brackets.
  case responderForm
  /// A text is not a valid address of a webhook (CHN-1).
  case webAddress
  /// A text is neither a topic on ntfy.sh nor the URL of one on another server (CHN-1).
  case topic
  /// A text isn't the name of a mail server, with or without a port (ONB-4).
  case mailServer
  /// What follows the colon after a mail server's name isn't a port.
  case port(String)
  /// Mail without encryption is allowed only to this machine.
  case unencryptedMail
  /// A text can't be an access token: it contains spaces or control characters, or is too long.
  case accessToken
  /// A field of a messaging service, given by its title, does not have the right form (CHN-4).
  case serviceField(String)
  /// A channel of a kind that only a newer version knows can't be changed.
  case newerChannel
  /// A responder would have no channel to be notified on (CON-3).
  case channelRequired
  /// A text is not a duration; it is given as an error repeats it.
  case duration(String)
  /// An interval is outside 1 h – 30 d (INT-1).
  case intervalRange
  /// A text isn't a list of times of day (SCH-1).
  case setTimes(String)
  /// There are no set times, or more than six (SCH-1).
  case setTimesCount
  /// A text names no time zone, or one that this machine has no data of (SCH-1).
  case zone(String)
  /// A set time opens less than 1 h or more than 12 h before it (SCH-2).
  case openingRange
  /// A reminder does not come before the deadline of its interval (REM-1).
  case reminderTooLong
  /// A grace time is outside 0 – 24 h (ESC-1).
  case graceRange
  /// A repeat interval is outside 10 min – 24 h (ESC-2).
  case repeatRange
  /// A responder would wait for less than 15 minutes or more than 24 hours (ESC-8).
  case waitRange
  /// A contact would have no role (CON-1).
  case roleRequired
  /// An alert's message is longer than 500 characters.
  case messageLength(Int)
  /// A text is not the code of an account (QR-1).
  case code
  /// A text is an invitation to a server, but the code of an account is asked for.
  case serverLink
  /// A text can't be the code of a message (ESC-2).
  case responseCode
  /// A password is shorter than 8 or longer than 256 characters.
  case passwordLength(Int)
  /// A passphrase of the gate is shorter than 4 or longer than 256 characters.
  case passphraseLength(Int)
  /// The duress passphrase is the same as the other one, or nearly so.
  case passphrasesAlike
  /// Another account of the store has this e-mail address.
  case emailTaken
  /// The repeated entry differs from the first.
  case repetition
  /// The text typed to confirm something is not the expected one.
  case confirmation(String)
  /// A pause does not end in the future, or not within the next 30 days (CHK-7).
  case pauseRange
  /// A text says neither how long a pause is nor when it ends; it is given as an error repeats it.
  case pauseEnd(String)
  /// A text doesn't say when an outing ends, or only on which day; it is given as an error repeats it
  /// (OUT-1).
  case outingEnd(String)
  /// An outing ends sooner than in 10 minutes, or later than in 14 days (OUT-1).
  case outingRange
  /// A text names no responder, or several (OUT-1).
  case responderName(String)
  /// A document has no name (DOC-1).
  case documentName
  /// Another document of the person has this name.
  case documentNameTaken(String)
  /// A person has as many documents as they can have (DOC-1).
  case documentCount
  /// A document or a picture is larger than 10 MB (DOC-1).
  case fileSize
  /// A picture is neither PNG nor JPEG.
  case pictureFormat

  public var text: ErrorText { plainText.of(.validation) }

  private var plainText: ErrorText {
    switch self {
    case .nameLength(let count):
      ErrorText(
        "NAME_LENGTH",
        count < 1
          ? "A name can't be empty."
          : "A name has at most 50 characters; this one has \(count).")
    case .nameCharacter(let character):
      ErrorText(
        "NAME_CHARACTER", "A name can't contain “\(character)”.",
        recovery: "Use letters, digits, spaces, emoji and - ' . , ( ) & / +")
    case .nameBytes:
      ErrorText(
        "NAME_BYTES", "This name takes more than 200 bytes.", recovery: "Use a shorter one.")
    case .nameLetter:
      ErrorText("NAME_LETTER", "A name needs a letter or a digit.")
    case .phone:
      ErrorText(
        "PHONE_INVALID", "This isn't a phone number with a country code.",
        recovery: "Write it like +44 20 7183 8750.")
    case .phoneCharacter(let character):
      ErrorText(
        "PHONE_CHARACTER", "A phone number can't contain “\(character)”.",
        recovery: "Write one number, like +44 20 7183 8750.")
    case .phonePrefix:
      ErrorText(
        "PHONE_PREFIX", "It isn't clear which digits are only dialled within the country.",
        recovery: "Write the number as it's dialled from abroad, like +44 20 7183 8750.")
    case .phoneLength(let code):
      ErrorText(
        "PHONE_LENGTH", "Numbers that begin with +\(code) aren't that long.",
        recovery: "Write the number as it's dialled from abroad, like +44 20 7183 8750.")
    case .phoneExtension:
      ErrorText(
        "PHONE_EXTENSION", "A phone number can't have an extension or a second number.",
        recovery: "Write one number, like +44 20 7183 8750.")
    case .noteLength(let count):
      ErrorText("NOTE_LENGTH", "A note has at most 2,000 characters; this one has \(count).")
    case .addressLength(let count):
      ErrorText("ADDRESS_LENGTH", "An address has at most 200 characters; this one has \(count).")
    case .accessLength(let count):
      ErrorText(
        "ACCESS_LENGTH", "“How to get in” has at most 500 characters; this has \(count).")
    case .email:
      ErrorText(
        "EMAIL_INVALID", "This isn't an e-mail address.",
        recovery: "Write it like name@example.org.")
    case .emailLetter(let letter):
      ErrorText(
        "EMAIL_LETTER", "LifeSignal can't send to an address with “\(letter.quotable)”.",
        recovery: "Use an address without accents, like name@example.org.")
    case .responderForm:
      ErrorText(
        "RESPONDER_FORM", "A responder needs a name and an address.",
        recovery: "Write it like \"Grace Hopper <grace@example.org>\".")
    case .webAddress:
      ErrorText(
        "WEB_ADDRESS_INVALID", "This isn't a web address.",
        recovery: "Write it like https://example.org/hook; http works only for this machine.")
    case .topic:
      ErrorText(
        "TOPIC_INVALID", "This isn't an ntfy topic.",
        recovery: "Write its name, or its address with https, like https://ntfy.example.org/topic.")
    case .mailServer:
      ErrorText(
        "MAIL_SERVER_INVALID", "This isn't the name of a mail server.",
        recovery: "Write it like smtp.example.org, or smtp.example.org:2525.")
    case .port(let text):
      ErrorText(
        "PORT_INVALID", "“\(text.quotable)” isn't a port.",
        recovery: "A port is a number from 1 to 65535.")
    case .unencryptedMail:
      ErrorText(
        "MAIL_UNENCRYPTED", "Without encryption, mail can only go through this machine.",
        recovery: "Choose STARTTLS or TLS.")
    case .accessToken:
      ErrorText(
        "TOKEN_INVALID", "This isn't an access token.",
        recovery: "Copy it from the server's page; it has no spaces.")
    case .serviceField(let title):
      ErrorText(
        "SERVICE_FIELD_INVALID", "This isn't what the service calls “\(title)”.",
        recovery: "Copy it from the service.")
    case .newerChannel:
      ErrorText(
        "CHANNEL_NEWER", "This version of lifesignal doesn't know that kind of channel.",
        recovery: "Update lifesignal to change it, or what it belongs to.")
    case .channelRequired:
      ErrorText(
        "CHANNEL_REQUIRED", "A responder needs a channel to be notified on.",
        recovery: "Add an e-mail address, a webhook or an ntfy topic.")
    case .duration(let text):
      ErrorText(
        "DURATION_INVALID", "“\(text)” isn't a duration.",
        recovery: "Write it like 36h, 90m or 2d 12h.")
    case .intervalRange:
      ErrorText(
        "INTERVAL_RANGE", "The interval must be between 1 hour and 30 days.",
        recovery: "Try 24h.")
    case .setTimes(let text):
      ErrorText(
        "SET_TIMES_INVALID", "“\(text.quotable)” isn't a list of times.",
        recovery: "Write it like daily 09:00, or mon-fri 08:30, 18:00.")
    case .setTimesCount:
      ErrorText(
        "SET_TIMES_COUNT", "You can check in by one to six times of day.",
        recovery: "Leave some out.")
    case .zone(let text):
      ErrorText(
        "ZONE_UNKNOWN", "“\(text.quotable)” isn't a time zone that is known here.",
        recovery: "Write it like Europe/Berlin. Is the package tzdata installed?")
    case .openingRange:
      ErrorText(
        "OPENING_RANGE", "A set time opens 1 to 12 hours before it.", recovery: "Try 6h.")
    case .reminderTooLong:
      ErrorText(
        "REMINDER_TOO_LONG", "A reminder must come before the deadline.",
        recovery: "Choose a time shorter than the interval.")
    case .graceRange:
      ErrorText(
        "GRACE_RANGE", "The grace time must be between 0 and 24 hours.",
        recovery: "Try 15m.")
    case .repeatRange:
      ErrorText(
        "REPEAT_RANGE", "The time between repeats must be between 10 minutes and 24 hours.",
        recovery: "Try 1h.")
    case .waitRange:
      ErrorText(
        "WAIT_RANGE", "A responder is notified at once, or after 15 minutes to 24 hours.",
        recovery: "Try 30m, or 0m for at once.")
    case .roleRequired: ErrorText("ROLE_REQUIRED", "A contact needs at least one role.")
    case .messageLength(let count):
      ErrorText(
        "MESSAGE_LENGTH", "A message has at most 500 characters; this one has \(count).")
    case .code:
      ErrorText(
        "CODE_INVALID", "That isn't a LifeSignal code.",
        recovery: "Paste the whole link or its 32 digits.")
    case .serverLink:
      ErrorText(
        "SERVER_LINK", "That is an invitation to a server, not a person's code.",
        recovery: "Use it in a terminal: lifesignal join LINK --name NAME --email ADDRESS.")
    case .responseCode:
      ErrorText(
        "RESPONSE_CODE_INVALID", "That isn't a code from a message.",
        recovery: "Type it as it is in the message, like 7K3QF-9ZD2M.")
    case .passwordLength(let count):
      ErrorText(
        "WEAK_PASSWORD",
        count < 8
          ? "A password needs at least 8 characters." : "A password has at most 256 characters.",
        recovery: "Four random words are easy to remember.")
    case .passphraseLength(let count):
      ErrorText(
        "PASSPHRASE_LENGTH",
        count < 4
          ? "A passphrase needs at least 4 characters."
          : "A passphrase has at most 256 characters.")
    case .passphrasesAlike:
      ErrorText(
        "PASSPHRASES_ALIKE", "The duress passphrase is too similar to the other one.",
        recovery: "Choose one that you can't type by mistake.")
    case .emailTaken:
      ErrorText(
        "EMAIL_TAKEN", "Another account here already uses this e-mail address.",
        recovery: "Use another address.")
    case .repetition:
      ErrorText("REPETITION_DIFFERS", "The two don't match.", recovery: "Type it again.")
    case .confirmation(let word):
      ErrorText("NOT_CONFIRMED", "That isn't “\(word)”.", recovery: "Type it exactly.")
    case .pauseRange:
      ErrorText(
        "PAUSE_RANGE", "A pause must end in the next 30 days.",
        recovery: "Try 2d, or a date.")
    case .responderName(let text):
      ErrorText(
        "RESPONDER_NAME", "“\(text.quotable)” isn't one of your responders.",
        recovery: "Type the beginning of their name; a comma stands between two.")
    case .outingRange:
      ErrorText(
        "OUTING_RANGE", "An outing must end in 10 minutes to 14 days.",
        recovery: "Try 18:00, tomorrow 9:00, or 4h.")
    case .outingEnd(let text):
      ErrorText(
        "OUTING_END", "“\(text.quotable)” doesn't say when you will be back.",
        recovery: "Write a time: 18:00, tomorrow 9:00, or 4h.")
    case .pauseEnd(let text):
      ErrorText(
        "PAUSE_END", "“\(text.quotable)” says neither how long nor until when.",
        recovery: "Write it like 2d, 2 weeks, 18:00, tomorrow or 2026-12-24.")
    case .documentName:
      ErrorText("DOCUMENT_NAME", "A document needs a name.", recovery: "Type one.")
    case .documentNameTaken(let name):
      ErrorText(
        "DOCUMENT_NAME_TAKEN", "You already have a document called “\(name)”.",
        recovery: "Choose another name.")
    case .documentCount:
      ErrorText(
        "DOCUMENT_COUNT", "You have 20 documents, the most you can keep.",
        recovery: "Remove one first.")
    case .fileSize:
      ErrorText(
        "FILE_TOO_LARGE", "The file is larger than 10 MB.", recovery: "Choose a smaller one.")
    case .pictureFormat:
      ErrorText(
        "PICTURE_FORMAT", "This isn't a PNG or JPEG picture.",
        recovery: "Choose another file.")
    }
  }
}
