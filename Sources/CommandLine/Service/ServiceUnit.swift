import Clients

/// The systemd unit that runs the monitor: its text, and whether an existing file is ours.
struct ServiceUnit: Equatable, Sendable {
  static let name = "lifesignal-monitor.service"

  /// The systemd that runs the unit.
  enum Manager: Equatable, Sendable {
    /// The user's own systemd.
    case user
    /// The machine's systemd, running the service as this user.
    case system(user: String)
  }

  /// A path or name that can't be written in a unit.
  struct Unwritable: Error, Equatable {
    var text: String
  }

  /// The contents of the file.
  let text: String

  /// - Parameters:
  ///   - program: The absolute path of `lifesignal-monitor`.
  ///   - variables: The environment, from which the folder variables are passed on.
  init(
    for manager: Manager, program: String, folders: Folders, variables: [String: String]
  ) throws(Unwritable) {
    var environment: [String] = []
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
      if let value = variables[name], value.hasPrefix("/") {
        environment.append("Environment=" + (try Self.quote("\(name)=\(value)")))
      }
    }
    // Folders that a mail sender has no business reading. The dash ignores missing ones.
    let home = variables["HOME"] ?? ""
    let hidden = [".ssh", ".gnupg"].map { "-\(home)/\($0)" }
    var values = [
      "program": try Self.quote(program), "environment": environment.joined(separator: "\n"),
      "writable": try Self.quote([folders.data, folders.state]),
      "hidden": home.hasPrefix("/") ? try Self.quote(hidden) : "",
    ]
    let template: [UInt8]
    switch manager {
    case .user: template = PackageResources.user_service
    case .system(let user):
      guard Self.isUserName(user) else { throw Unwritable(text: user) }
      values["user"] = user
      template = PackageResources.system_service
    }
    let body = Self.fill(String(decoding: template, as: UTF8.self), with: values)
    text = Self.mark(of: body) + body
  }

  /// Fills the placeholders. A line whose placeholder has an empty value is left out.
  private static func fill(_ template: String, with values: [String: String]) -> String {
    var lines: [String] = []
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let open = line.firstIndex(of: "{"), let close = line.lastIndex(of: "}"),
        let value = values[String(line[line.index(after: open)..<close])]
      else {
        lines.append(String(line))
        continue
      }
      if !value.isEmpty { lines.append(line[..<open] + value + line[line.index(after: close)...]) }
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Origin

  enum Origin: Equatable, Sendable {
    /// Exactly what would be written now.
    case current
    /// Written by an earlier install and unchanged since.
    case outdated
    /// Written or changed by someone else.
    case foreign
  }

  /// Returns the origin of an existing unit file.
  func origin(of text: String) -> Origin {
    if text == self.text { return .current }
    return Self.isUnchanged(text) ? .outdated : .foreign
  }

  /// Returns whether the file is unchanged since some install wrote it: its first line holds the
  /// digest of the rest.
  static func isUnchanged(_ text: String) -> Bool {
    guard let end = text.firstIndex(of: "\n") else { return false }
    let body = String(text[text.index(after: end)...])
    return text[...end] == mark(of: body)
  }

  private static func mark(of body: String) -> String {
    "# Written by lifesignal monitor install, digest \(String(digest(of: body), radix: 16)).\n"
  }

  /// Returns a 64-bit FNV-1a hash, which detects edits but doesn't protect against tampering.
  private static func digest(of text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  // MARK: Quoting

  /// Quotes a word for systemd.syntax(7), with specifiers and escapes neutralised.
  private static func quote(_ word: String) throws(Unwritable) -> String {
    guard word.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw Unwritable(text: word)
    }
    let escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("%", with: "%%").replacing("$", with: "$$")
    return "\"\(escaped)\""
  }

  private static func quote(_ words: [String]) throws(Unwritable) -> String {
    var quoted: [String] = []
    for word in words { quoted.append(try quote(word)) }
    return quoted.joined(separator: " ")
  }

  private static func isUserName(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.-]{0,30}/) != nil
  }
}
