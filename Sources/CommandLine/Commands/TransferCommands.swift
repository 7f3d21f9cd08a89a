import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal export`: everything of the account in one file.
struct ExportCommand: StoreCommand {
  var path: String
  @Dependency(\.transferClient) var transferClient

  private static let file = Argument(
    ArgumentDeclaration(placeholder: "FILE", help: "Where to; - is standard output"),
    read: { (text: String) throws(InvalidValue) in text })

  static let declaration = CommandDeclaration(
    name: "export", summary: "Write everything of your account into a file",
    discussion: [
      "The file is JSON, and readable by you only. It holds your profile, contacts, check-ins,"
        + " alerts, notifications and settings, but no password, passphrase or other secret: webhooks"
        + " get new ones where it is imported, and protected topics need their token again. Your"
        + " emergency documents are listed in it without their contents; keep the files themselves.",
      "A file that is there is replaced.",
    ],
    arguments: [file.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      ExportCommand(path: try arguments.required(file))
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let export = try await attempt { () async throws(TransferError) in
      try await transferClient.exportAccount()
    }
    let data = try await attempt { () async throws(TransferError) in try export.encoded() }
    guard path != "-" else {
      return Report(verbatim: String(decoding: data.dropLast(), as: UTF8.self))
    }
    do { try invocation.writeFile(path, Array(data)) } catch {
      throw CommandFailure("\(shownPath(path)) cannot be written: \(error.reason).")
    }
    return Report(["\(export.user.profile.name) is exported to \(path)."])
  }
}

/// `lifesignal import`: takes an export into a store.
struct ImportCommand: StoreCommand {
  var path: String
  var isConfirmed: Bool
  @Dependency(\.transferClient) var transferClient
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.dateClient) var dateClient

  private static let file = Argument(
    ArgumentDeclaration(placeholder: "FILE", help: "What lifesignal export has written"),
    read: { (text: String) throws(InvalidValue) in text })
  static let yes = Flag("yes", help: "Add to the account that is there without asking")

  static let declaration = CommandDeclaration(
    name: "import", summary: "Take an export into this store",
    discussion: [
      "Where there is no account yet, it is opened as it was, its deadline included. Into the account"
        + " that is there, contacts and settings that are missing are added, and the history where it"
        + " is the same account's; nothing is replaced."
    ],
    arguments: [file.declaration], options: [yes.declaration], exitCodes: [.locked],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      ImportCommand(path: try arguments.required(file), isConfirmed: arguments.isSet(yes))
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let export = try read(invocation)
    let owner = try await attempt { () async throws(AuthError) in
      try await authClient.currentUserID()
    }
    if owner != nil, !isConfirmed {
      _ = invocation.standardOutput.write(
        "Add what is missing from \(export.user.profile.name.sanitized)'s export to this account?"
          + " Type yes: ")
      guard case .line(let answer) = await nextLine(invocation),
        answer.trimmingWhitespace().lowercased() == "yes"
      else { throw CommandFailure("Nothing was changed.") }
    }
    let report = try await invocation.passingGate {
      (passphrase: Secret<String>?) async throws(TransferError) in
      try await transferClient.importAccount(export, passphrase)
    }
    let added = [
      (report.contacts, "contact"), (report.checkIns, "check-in"), (report.alerts, "alert"),
      (report.notifications, "notification"), (report.documents, "setting"),
    ].map { count, word in "\(count) \(word)\(count == 1 ? "" : "s")" }.joinedAsList
    let warnings = lacking(export.files)
    guard report.opened else { return Report(["Added: \(added)."], warnings: warnings) }
    let user = try await attempt { () async throws(UserError) in
      try await userClient.currentUser()
    }
    let now = dateClient.now()
    let deadline = dateClient.calendar.describe(user.deadline.date, now: now)
    return Report(
      ["Welcome back, \(user.profile.name). Imported: \(added)."],
      warnings: warnings
        + (now < user.deadline.date
          ? [] : ["Your deadline was \(deadline). Check in now, or your responders are told."]))
  }

  /// Says which files an export lists but does not hold.
  private func lacking(_ files: [EmergencyDocument]) -> [String] {
    guard !files.isEmpty else { return [] }
    return [
      "An export does not hold the contents of emergency documents. Add them again: "
        + files.map(\.name).joinedAsList + "."
    ]
  }

  private func nextLine(_ invocation: Invocation) async -> LineEvent {
    while true {
      let event = await invocation.nextLine()
      if event != .nothing { return event }
    }
  }

  private func read(_ invocation: Invocation) throws(CommandFailure) -> AccountExport {
    let bytes: [UInt8]?
    do { bytes = try invocation.readFile(path, AccountExport.sizeLimit) } catch {
      throw CommandFailure("\(shownPath(path)) cannot be read: \(error.reason).")
    }
    guard let bytes else { throw CommandFailure("There is no file \(shownPath(path)).") }
    guard bytes.count <= AccountExport.sizeLimit else {
      throw CommandFailure("\(path) is larger than any export.", advice: "Nothing was changed.")
    }
    do throws(TransferError) { return try AccountExport(decoding: Data(bytes)) } catch {
      throw CommandFailure(error)
    }
  }
}
