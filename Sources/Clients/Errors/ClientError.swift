public import Domain
public import FoundationEssentials

/// The error of a client of the product. The errors of a store, a keychain, a file or a network
/// keep their own types, and a case here wraps each of them.
public enum ClientError: ClientFailure, Codable {
  // MARK: Accounts

  /// Nobody is signed in.
  case notAuthenticated
  /// There is an account here already; a further one needs an e-mail address and a password.
  case accountExists
  /// The password is wrong or missing, or there is no such account; which of these is not revealed
  /// (AUTH-3).
  case invalidCredentials
  case emailAlreadyInUse
  /// Too many wrong passwords in a row (AUTH-3).
  case tooManyAttempts(until: Date)
  /// The session expired or was revoked (AUTH-2).
  case sessionExpired
  /// A code for setting a new password is wrong or has expired.
  case resetCodeInvalid
  /// A password needs an e-mail address to sign in with.
  case emailRequired
  /// The server opens accounts only for people who were invited, and doesn't know the code.
  case inviteRequired
  /// The code belongs to an invitation that no longer opens an account.
  case invitationOver(Invitation.End)
  /// The server opens no accounts, so that nobody can be invited to it.
  case registrationClosed
  /// The person who runs the server has disabled the account.
  case accountDisabled
  /// The member has as many open invitations as they can have.
  case tooManyInvitations
  /// The invitation has been used; the person who did is a contact with these roles.
  case invitationUsed(by: String, roles: Roles)
  /// The account is on this machine, to which nobody can be invited.
  case invitationsNeedServer
  /// The account has moved to a server, and takes no check-ins here.
  case accountMoved(to: String)
  /// The account can't be moved to a server now.
  case cannotMove(AccountMove.Obstacle)
  /// An account on a server has as much as it can have.
  case limitReached(Quota)
  /// A request that weakens help reached the server so late that its person may have done the
  /// opposite since.
  case requestTooOld
  /// A check-in was executed so late that its new deadline has passed.
  case checkInTooLate
  /// A check-in was kept on this device, because the server didn't answer. It is sent as soon as the
  /// server does (OFF-1).
  case queued(at: Date)
  /// A request was repeated, and it isn't known how much of the first one was done.
  case requestRepeated

  // MARK: Check-ins

  /// The deadline has passed, or one has passed without a check-in since: a pause would hide it
  /// (CHK-7).
  case checkInFirst
  /// There is no pause to end.
  case notPaused
  /// An outing is on already (OUT-1).
  case alreadyOut(until: Date)
  /// No outing is on, or another one.
  case notOut
  /// Another device has changed the end of the outing, which is this one now (OUT-3).
  case outingChanged(Date)
  /// The responders have been notified of the outing: it can only end (OUT-3).
  case outingMissed
  /// An outing can't start while an alert is on.
  case outingDuringAlert
  /// No sign of life counts while there is a passphrase gate (CHK-10).
  case signsWithGate

  // MARK: Alerts

  /// There is no active alert to cancel.
  case alertNotActive
  /// A drill can't start while an alert is on (ALT-8).
  case alertIsOn
  /// The alert that was to be stopped is on.
  case alertAlreadyOn

  // MARK: Codes from messages

  /// No message has ever contained this code.
  case responseCodeUnknown
  /// No contact was sent this code to decline with (CON-3).
  case declineCodeUnknown
  /// The alert that the code belongs to is over.
  case alertEnded(person: String)
  /// An unknown code after too many others; a right one is always accepted.
  case tooManyCodes(until: Date)

  // MARK: Contacts

  case contactNotFound
  /// The contact has changed since it was read; this is its current state.
  case contactChanged(Contact)
  /// Another contact has one of the addresses.
  case contactExists(name: String)
  /// The code is the user's own.
  case cannotAddSelf
  /// There is a relation with the owner of the code already, or a request for one.
  case relationExists(name: String)
  /// Nobody has this code.
  case codeUnknown
  /// The code's owner has their account on another server; `here` is ours, or `nil` for this
  /// machine.
  case codeElsewhere(_ server: String, here: String?)
  /// Only the other person can make the user their responder.
  case consentRequired(name: String)

  // MARK: Pings

  /// The user does not respond for this contact, or they have not consented yet.
  case pingNotAllowed
  /// A ping to this contact is open already (PNG-1).
  case pingAlreadyOpen(name: String)
  /// The ping was answered, withdrawn or has expired.
  case pingNotOpen

  // MARK: Channels

  /// The channel no longer exists, or the contact that it was to be added to.
  case channelNotFound
  /// A contact, or the user, has this address already.
  case channelExists(name: String)
  /// The address is the account's, which is changed in the profile.
  case isProfileAddress
  /// The owner of the channel declined to be a contact, and gets no messages (CON-3).
  case declined(name: String)
  /// The owner of the channel was sent too many messages within a day (NOT-5), or isn't told before
  /// tomorrow that they are a contact.
  case testTooSoon(name: String)

  // MARK: Documents and pictures

  /// There is no such file, or none that this person can know of.
  case fileNotFound
  /// A document that responders can open only while an alert is on.
  case fileClosed
  /// The contents of the file are missing, or have another size than they had.
  case fileDamaged

  // MARK: Exports

  /// The file is not an export.
  case notAnExport
  /// The file has a format that this program does not know.
  case exportVersion(Int)
  /// Something in the file breaks a rule.
  case exportInvalid(String)

  // MARK: Errors of every client

  /// The passphrase gate did not open (CHK-3).
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case keychain(KeychainError)
  /// `config.json5` can't be read or written.
  case settings(ConfigurationError)
  /// Nothing provides the operation of this name.
  case unimplemented(String)

  /// Whether nobody is signed in, or no longer.
  public var needsSignIn: Bool { self == .notAuthenticated || self == .sessionExpired }

  /// Whether the session is over.
  public var endsSession: Bool { needsSignIn || self == .accountDisabled }

  /// The error of the gate, or `nil` for any other error.
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }

  /// Whether the operation may have been done despite the error.
  public var isOutcomeUnknown: Bool { text.isOutcomeUnknown }

  public var text: ErrorText {
    switch self {
    case .notAuthenticated:
      ErrorText(
        "NOT_AUTHENTICATED", "No account is open on this machine.",
        recovery: "Sign in with lifesignal sign-in, or create one with lifesignal init.")
    case .accountExists:
      ErrorText(
        "ACCOUNT_EXISTS", "There is already an account here.",
        recovery: "Open it with lifesignal, or sign up for another one with a password.")
    case .invalidCredentials:
      ErrorText(
        "INVALID_CREDENTIALS", "The e-mail address or the password is wrong.",
        recovery: "Try again.")
    case .emailAlreadyInUse:
      ErrorText(
        "EMAIL_IN_USE", "Another account here already uses this e-mail address.",
        recovery: "Sign in with it, or use another address.")
    case .tooManyAttempts(let date):
      ErrorText(
        "TOO_MANY_ATTEMPTS",
        "Too many wrong passwords.",
        recovery: "Try again after \(CivilCalendar.local.time(of: date).clock).", isRetryable: true)
    case .sessionExpired:
      ErrorText("SESSION_EXPIRED", "You have been signed out.", recovery: "Sign in again.")
    case .resetCodeInvalid:
      ErrorText(
        "RESET_CODE_INVALID", "This code is wrong or has expired.",
        recovery: "Ask for a new one.")
    case .emailRequired:
      ErrorText(
        "EMAIL_REQUIRED", "A password needs an e-mail address.",
        recovery: "Add one to your profile first.")
    case .inviteRequired:
      ErrorText(
        "INVITE_REQUIRED", "This server needs an invitation, and doesn't know this one.",
        recovery:
          "Check that you have the whole link, or ask the person who invited you for a new one.")
    case .invitationOver(let end): end.text
    case .registrationClosed:
      ErrorText(
        "REGISTRATION_CLOSED", "This server opens no new accounts, so nobody can be invited.",
        recovery: "Ask the person who runs the server.")
    case .accountDisabled:
      ErrorText(
        "ACCOUNT_DISABLED",
        "The person who runs the server has disabled your account, so you can't sign in or check in.",
        recovery: "Ask them why. Your deadline is still watched: tell your responders how you are.")
    case .tooManyInvitations:
      ErrorText(
        "TOO_MANY_INVITATIONS", "You have \(Invitation.mostOpen) open invitations.",
        recovery: "Revoke one of them first.")
    case .invitationUsed(let name, let roles):
      ErrorText(
        "INVITATION_ACCEPTED", "\(name) has already joined. \(roles.sentence(about: name)) now.",
        recovery: "Remove the contact if you don't want that.")
    case .limitReached(let quota):
      ErrorText(
        "LIMIT_REACHED", "On a server, an account can have \(quota.limitText).",
        recovery: "Remove what you don't need any more.")
    case .requestTooOld:
      ErrorText(
        "REQUEST_TOO_OLD", "This reached the server too late, so it changed nothing.",
        recovery: "Do it again.")
    case .checkInTooLate:
      ErrorText(
        "CHECK_IN_TOO_LATE", "Your check-in arrived too late to count.",
        recovery: "Check in again.")
    case .queued(let date):
      ErrorText(
        "QUEUED",
        "Checked in at \(CivilCalendar.local.time(of: date).clock) on this device – not received yet.",
        recovery: "It is sent as soon as the server answers.")
    case .invitationsNeedServer:
      ErrorText(
        "INVITATIONS_NEED_SERVER",
        "Your account is on this computer, not on a server that people can be invited to.",
        recovery: "Add people by e-mail or ntfy, or by the code of an account here.")
    case .accountMoved(let server):
      ErrorText(
        "ACCOUNT_MOVED", "Your account has moved to \(server), which watches your deadline.",
        recovery:
          "Use it there with lifesignal join and the link that you joined by, or use the copy on this"
          + " computer again with lifesignal leave --use-copy.")
    case .cannotMove(let obstacle): obstacle.text
    case .requestRepeated:
      ErrorText(
        "REQUEST_REPEATED", "The server may have done this already.",
        recovery: "Check it, and do it again only if it wasn't done.")
    case .checkInFirst:
      ErrorText(
        "CHECK_IN_FIRST", "Your deadline has passed.", recovery: "Check in first, then do it again."
      )
    case .signsWithGate:
      ErrorText(
        "SIGNS_WITH_GATE", "Signs of life don't count while a passphrase gate is set.",
        recovery:
          "The gate asks for the passphrase at each check-in. Remove it first, if you prefer signs of life."
      )
    case .notPaused: ErrorText("NOT_PAUSED", "Check-ins aren't paused.")
    case .alreadyOut(let until):
      ErrorText(
        "ALREADY_OUT", "You are out until \(CivilCalendar.local.describe(until)).",
        recovery: "Stay out for longer with lifesignal out +30m, or say lifesignal back.")
    case .notOut:
      ErrorText("NOT_OUT", "You aren't out.", recovery: "lifesignal out 18:00 starts an outing.")
    case .outingChanged(let until):
      ErrorText(
        "OUTING_CHANGED",
        "The outing now ends at \(CivilCalendar.local.describe(until)): another device has changed it.",
        recovery: "Do it again if that is too early.")
    case .outingMissed:
      ErrorText(
        "OUTING_MISSED", "The alert that you aren't back is on.",
        recovery: "Say lifesignal back, then start another outing.")
    case .outingDuringAlert:
      ErrorText(
        "OUTING_DURING_ALERT", "An outing can't start while an alert is on.",
        recovery: "End the alert first.")
    case .alertNotActive: ErrorText("ALERT_NOT_ACTIVE", "There is no active alert.")
    case .alertIsOn:
      ErrorText(
        "ALERT_IS_ON", "A drill can't start while an alert is on.",
        recovery: "End the alert first.")
    case .alertAlreadyOn:
      ErrorText(
        "ALERT_ALREADY_ON", "The alert is already on.",
        recovery: "Cancel it to end it; everyone who was notified is notified of the end.")
    case .responseCodeUnknown:
      ErrorText(
        "RESPONSE_CODE_UNKNOWN", "This code isn't known here.",
        recovery: "Type it as it is in the message, like 7K3QF-9ZD2M.")
    case .alertEnded(let person):
      ErrorText(
        "ALERT_ENDED", "\(person)'s alert or drill is over. You don't need to do anything.")
    case .tooManyCodes:
      ErrorText(
        "TOO_MANY_CODES", "Too many wrong codes.",
        recovery: "Copy the code from the message; the right one always works.")
    case .contactNotFound:
      ErrorText("CONTACT_NOT_FOUND", "This contact no longer exists.")
    case .contactChanged(let contact):
      ErrorText(
        "CONTACT_CHANGED", "\(contact.name) was changed somewhere else in the meantime.",
        recovery: "Check the new version and make your change again.")
    case .contactExists(let name):
      ErrorText(
        "CONTACT_EXISTS", "\(name) already has this address.",
        recovery: "Edit that contact instead.")
    case .cannotAddSelf:
      ErrorText(
        "CONTACT_SELF", "This is your own code.",
        recovery: "Give it to the people who should add you, and type theirs here.")
    case .relationExists(let name):
      ErrorText(
        "CONTACT_RELATED", "\(name) is already a contact, or has your request.",
        recovery: "Open that contact instead.")
    case .codeUnknown:
      ErrorText(
        "CODE_UNKNOWN", "No account here has this code.",
        recovery:
          "Ask for the current code; an old one stops working when a new one is made. It only works where"
          + " their account is.")
    case .codeElsewhere(let server, let here):
      ErrorText(
        "CODE_ELSEWHERE",
        "That code belongs to \(server); you are on \(here ?? "no server").",
        recovery: "Both of you need to be on the same server.")
    case .declineCodeUnknown:
      ErrorText(
        "DECLINE_CODE_UNKNOWN", "None of your contacts has this code.",
        recovery: "Type it as it is in the message that named them as your contact.")
    case .consentRequired(let name):
      ErrorText(
        "CONSENT_REQUIRED", "Only \(name) can make you their responder.",
        recovery: "Ask them to give you that role.")
    case .pingNotAllowed:
      ErrorText(
        "PING_NOT_ALLOWED", "You can only ping your dependents.",
        recovery: "Check this contact's roles.")
    case .pingAlreadyOpen(let name):
      ErrorText(
        "PING_OPEN", "\(name) has not answered your last ping yet.",
        recovery: "Wait for the answer, or call them.")
    case .pingNotOpen: ErrorText("PING_NOT_OPEN", "This ping is no longer open.")
    case .channelNotFound: ErrorText("CHANNEL_NOT_FOUND", "This channel no longer exists.")
    case .channelExists(let name):
      ErrorText(
        "CHANNEL_EXISTS", "\(name) already has this address.", recovery: "Use another address.")
    case .isProfileAddress:
      ErrorText(
        "CHANNEL_IN_PROFILE", "This is the e-mail address of your account.",
        recovery: "Change it in your profile.")
    case .declined(let name):
      ErrorText("CONTACT_DECLINED", "\(name) doesn't want to be notified.")
    case .testTooSoon(let name):
      ErrorText(
        "TEST_TOO_SOON", "\(name) can't be sent another test before tomorrow.",
        recovery: "Calls for help are sent at any time.")
    case .fileNotFound:
      ErrorText("FILE_GONE", "This file no longer exists, or you can't open it.")
    case .fileClosed:
      ErrorText(
        "DOCUMENT_CLOSED", "You can open this document only while an alert is on.",
        recovery: "Ask its owner to change that.")
    case .fileDamaged:
      ErrorText(
        "FILE_DAMAGED", "The file is missing or damaged.",
        recovery: "Ask its owner to add it again.", family: .infrastructure)
    case .notAnExport:
      ErrorText("NOT_AN_EXPORT", "This file isn't a complete LifeSignal export.")
    case .exportVersion(let version):
      ErrorText(
        "EXPORT_VERSION", "The file was exported by a newer lifesignal (format \(version)).",
        recovery: "Install the newer version. Nothing was changed.")
    case .exportInvalid(let detail):
      ErrorText(
        "EXPORT_INVALID", "The export is damaged: \(detail).",
        recovery: "Nothing was changed.")
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .keychain(let error): error.text
    case .settings(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}

extension ErrorText {
  /// Whether the operation may have been done despite the error.
  public var isOutcomeUnknown: Bool {
    let errors = [
      ClientError.storage(.unknownOutcome), .storage(.network(.unanswered)), .requestRepeated,
    ]
    return errors.contains { $0.text.code == code }
  }

  /// The text for an outing that needs the server and hasn't started, or doesn't end later (OUT-5):
  /// nobody expects the person then.
  public func ofOuting(_ what: String) -> ErrorText {
    guard family == .infrastructure else { return self }
    var text = self
    text.description = "\(what): \(description)"
    text.recovery = [recovery, "Call somebody before you go on."].compactMap(\.self)
      .joined(separator: " ")
    return text
  }

  /// The text for a failed check-in, which says no more than is known (NOT-3).
  public var checkInText: String {
    if code == ClientError.queued(at: .distantPast).text.code { return sentence }
    return (isOutcomeUnknown ? "You may not be checked in: " : "You are NOT checked in: ")
      + sentence
  }
}
