import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal export`: everything of the account in one file.
struct ExportCommand: StoreCommand {
  var path: String
  @Dependency(\.transferClient) var transferClient

  static let declaration = CommandDeclaration(
    "export", "Write everything of your account into a file",
    discussion: [
      "The file is JSON, and readable by you only. It holds your profile, contacts, check-ins,"
        + " alerts, notifications and settings, but no password, passphrase or other secret: webhooks"
        + " get new ones where it is imported, and protected topics need their token again. Your"
        + " emergency documents are listed in it without their contents; keep the files themselves.",
      "A file that is there is replaced.",
    ]
  ) { words in
    let file = words.argument("FILE", "Where to; - is standard output")
    return { ExportCommand(path: try $0.required(file)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let export = try await transferClient.exportAccount()
    let data = try export.encoded()
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

  static let declaration = CommandDeclaration(
    "import", "Take an export into this store",
    discussion: [
      "Where there is no account yet, it is opened as it was, its deadline included. Into the account"
        + " that is there, contacts and settings that are missing are added, and the history where it"
        + " is the same account's; nothing is replaced."
    ],
    exitCodes: [.locked]
  ) { words in
    let file = words.argument("FILE", "What lifesignal export has written")
    let yes = words.flag("yes", "Add to the account that is there without asking")
    return { ImportCommand(path: try $0.required(file), isConfirmed: $0.isSet(yes)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let data = try invocation.contents(
      of: path, upTo: AccountExport.sizeLimit,
      tooLarge: CommandFailure("\(path) is larger than any export.", advice: "Nothing was changed.")
    )
    let export = try AccountExport(decoding: data)
    let owner = try await authClient.currentUserID()
    if owner != nil, !isConfirmed {
      try await invocation.confirm(
        "Add what is missing from \(export.user.profile.name.sanitized)'s export to this account?")
    }
    let report = try await invocation.passingGate { passphrase in
      try await transferClient.importAccount(export, passphrase)
    }
    let added = [
      (report.contacts, "contact"), (report.checkIns, "check-in"), (report.alerts, "alert"),
      (report.notifications, "notification"), (report.documents, "setting"),
    ].map { count, word in "\(count) \(word)\(count == 1 ? "" : "s")" }.joinedAsList
    let warnings = lacking(export.files)
    guard report.opened else { return Report(["Added: \(added)."], warnings: warnings) }
    let user = try await userClient.currentUser()
    let now = dateClient.now()
    let deadline = dateClient.describe(user.deadline.date)
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
}
