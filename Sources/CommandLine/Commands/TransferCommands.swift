import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal export`: writes the whole account to one file.
struct ExportCommand: StoreCommand {
  var path: String
  var replaces: Bool
  @Dependency(\.transferClient) var transferClient

  static let declaration = CommandDeclaration(
    "export", "Export your account to a file",
    discussion: [
      "The file is JSON, and only you can read it. It has your profile, contacts, check-ins,"
        + " alerts, notifications and settings, but no password, passphrase or other secret: after"
        + " an import, webhooks have new secrets and protected topics need their token again."
        + " Emergency documents are listed without their contents, so keep the files.",
      "An existing file is replaced only with --force.",
    ]
  ) { syntax in
    let file = syntax.argument("FILE", "The file to write, or - for standard output")
    let force = syntax.flag("force", "Replace the file if there is one")
    return { ExportCommand(path: try $0.required(file), replaces: $0.isSet(force)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    if path != "-", !replaces, invocation.machine.entry(path) != .nothing {
      throw CommandFailure(
        "\(shownPath(path)) already exists.",
        advice: "Choose another name, or replace it with --force.")
    }
    let export = try await transferClient.exportAccount()
    let data = try export.encoded()
    guard path != "-" else {
      return Report(verbatim: String(decoding: data.dropLast(), as: UTF8.self))
    }
    do { try invocation.writeFile(path, Array(data)) } catch {
      throw CommandFailure("\(shownPath(path)) cannot be written: \(error.reason).")
    }
    return Report(["Exported \(export.user.profile.name) to \(path)."])
  }
}

/// `lifesignal import`: reads an export into the store.
struct ImportCommand: StoreCommand {
  var path: String
  var isConfirmed: Bool
  @Dependency(\.transferClient) var transferClient
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "import", "Import an exported account",
    discussion: [
      "If there is no account yet, restores it with its deadline. If there is one, adds the"
        + " contacts and settings that are missing, and the history if it is the same account;"
        + " nothing is replaced."
    ],
    exitCodes: [.locked]
  ) { syntax in
    let file = syntax.argument("FILE", "A file written by lifesignal export")
    let yes = syntax.flag("yes", "Don't ask before adding to an existing account")
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
    let report = try await invocation.passingGate {
      try await transferClient.importAccount(export.withEverythingRead)
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
    let secrets = await askForPassphrases(invocation)
    return Report(
      ["Welcome back, \(user.profile.name). Imported: \(added)."],
      warnings: secrets + warnings + [
        "Where this account was before, stop its monitor: check-ins here don't move the deadline there."
      ]
        + (now < user.deadline.date
          ? []
          : ["Your deadline was \(deadline). Check in now, or your responders will be notified."]))
  }

  /// Says which secrets an export drops, and asks for the passphrases again at once.
  /// - Returns: Warnings about what isn't set again.
  private func askForPassphrases(_ invocation: Invocation) async -> [String] {
    let place = "under Profile › Security"
    guard invocation.typesSecrets() else { return [Self.withoutPassphrase + " Set one \(place)."] }
    invocation.say(Self.withoutPassphrase)
    let passphrase = try? invocation.readSecret("Your passphrase, or Enter for none: ")
    guard let passphrase, !passphrase.isEmpty else {
      return ["Check-ins and alerts have no passphrase now. Set one \(place)."]
    }
    let duress = try? invocation.readSecret("Your duress passphrase, or Enter for none: ")
    let gate = Gate(
      passphrase: Secret(passphrase), duress: duress.flatMap { $0.isEmpty ? nil : Secret($0) })
    do { try await authClient.updateGate(gate.checked()) } catch {
      return ["The passphrase isn't set. \(CommandFailure(error).sentence) Set it \(place)."]
    }
    return gate.duress == nil ? ["There is no duress passphrase now. Set one \(place)."] : []
  }

  private static let withoutPassphrase =
    "An export has no passphrases: one that you had, or one for duress, no longer counts."

  /// Warns about files that an export lists but doesn't contain.
  private func lacking(_ files: [EmergencyDocument]) -> [String] {
    guard !files.isEmpty else { return [] }
    return [
      "An export doesn't contain emergency documents. Add them again: "
        + files.map(\.name).joinedAsList + "."
    ]
  }
}
