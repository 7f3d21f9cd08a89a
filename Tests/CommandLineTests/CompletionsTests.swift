import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// `lifesignal completions`, run in the real shells.
@Suite struct CompletionsTests {
  static func path(of shell: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + shell }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Sources the completions and a script in a shell, and returns its output lines.
  private func run(_ shell: Shell, _ options: [String], _ script: String) throws
    -> [String]
  {
    let text = shell.script(app: .app, commands: CommandDeclaration.all)
    let folder = try TemporaryFolder()
    try folder.write(text, to: "completions")
    // A fake program that completes two contacts.
    try folder.write(
      "#!/bin/sh\n[ \"$1\" = __complete ] && printf 'Grace Hopper\\nMary O'\"'\"'Neil\\n'\n",
      to: "lifesignal")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/lifesignal")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.path(of: shell.rawValue)))
    process.arguments = options + ["-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = [
      "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8",
    ]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(complaints.isEmpty, "\(String(decoding: complaints, as: UTF8.self))")
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "bash completes commands, options and values",
    .enabled(if: path(of: "bash") != nil, "There is no bash here."))
  func bash() throws {
    func complete(_ words: String...) throws -> [String] {
      let list = (["lifesignal"] + words).map(\.shellQuoted).joined(separator: " ")
      return try run(
        .bash, ["--norc", "--noprofile"],
        """
        source ./completions
        complete -p lifesignal >/dev/null || exit 3
        COMP_WORDS=(\(list)) COMP_CWORD=\(words.count)
        _lifesignal
        printf '%s\\n' "${COMPREPLY[@]}"
        """)
    }
    #expect(try complete("check") == ["check-in"])
    let all = try complete("")
    for command in CommandDeclaration.all { #expect(all.contains(command.name)) }
    #expect(try complete("demo", "--fr") == ["--frame"])
    #expect(try complete("demo", "--frame", "check") == ["check-in"])
    #expect(try complete("demo", "--frame", "=", "al") == ["alerts"])
    #expect(try complete("--theme", "dark", "stat") == ["status"])
    #expect(try complete("alert", "o") == ["on", "off"])
    #expect(try complete("export", "comp") == ["completions"])
    #expect(try complete("--as", "").isEmpty)
    #expect(try complete("ping", "gr") == ["Grace\\ Hopper"])
    #expect(try complete("ping", "Grace\\ H") == ["Grace\\ Hopper"])
    #expect(try complete("ping", "'Gr") == ["Grace Hopper"])
    #expect(try complete("ping", "--w") == ["--withdraw"])
    #expect(try complete("help", "pin") == ["ping"])
    #expect(try complete("contacts", "Mary") == ["Mary\\ O\\'Neil"])
    #expect(try complete("channels", "--contact", "").count == 2)
    #expect(try complete("channels", "services", "tele") == ["telegram"])
    #expect(try complete("keychain", "set", "smtp") == ["smtp-password"])
  }

  @Test(
    "zsh completes commands, options and values",
    .enabled(if: path(of: "zsh") != nil, "There is no zsh here."))
  func zsh() throws {
    func complete(_ words: String...) throws -> [String] {
      let list = (["lifesignal"] + words).map(\.shellQuoted).joined(separator: " ")
      return try run(
        .zsh, ["-f"],
        """
        autoload -Uz compinit && compinit -D -u
        source ./completions
        [[ ${_comps[lifesignal]} == _lifesignal ]] || exit 3
        compadd() { shift; print -l -- "$@" }
        _describe() { print -l -- "${(@P)4}" }
        _files() { print files }
        _message() { }
        words=(\(list)) CURRENT=\(words.count + 1) PREFIX=''
        _lifesignal
        """)
    }
    let all = try complete("")
    for command in CommandDeclaration.all {
      #expect(all.contains("\(command.name):\(command.summary)"))
    }
    #expect(try complete("demo", "").contains { $0.hasPrefix("--frame:Print a picture") })
    #expect(try complete("demo", "--frame", "").contains("check-in"))
    #expect(try complete("--theme", "dark", "").contains { $0.hasPrefix("status:") })
    #expect(try complete("alert", "").contains { $0.hasPrefix("on:") })
    #expect(try complete("--record", "") == ["files"])
    let names = ["Grace Hopper", "Mary O'Neil"]
    #expect(try complete("ping", "").filter(names.contains) == names)
    #expect(try complete("channels", "--contact", "").filter(names.contains) == names)
  }

  @Test(
    "fish completes commands, options and values",
    .enabled(if: path(of: "fish") != nil, "There is no fish here."))
  func fish() throws {
    func complete(_ line: String) throws -> [String] {
      try run(
        .fish, ["--no-config"],
        "source ./completions; complete -C \((("lifesignal " + line).shellQuoted))"
      ).map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try complete("check") == ["check-in"])
    #expect(try complete("demo --fr") == ["--frame"])
    #expect(try complete("demo --frame check") == ["check-in"])
    #expect(try Set(complete("alert o")) == ["on", "off"])
    #expect(try complete("export comp") == ["completions"])
    #expect(try complete("ping Gr") == ["Grace Hopper"])
    #expect(try complete("channels --contact Mary") == ["Mary O'Neil"])
  }

  @Test("Contact names are completed from an existing store, and completion creates no store")
  func names() async throws {
    let world = World()
    await world.expect("__complete", .init(0))
    #expect(world[\.storesOpened] == 0)
    await world.openAccount()
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = .file(
      mode: 0o600, isOwn: true)
    await world.expect("__complete", .init(0, "Alan Turing\nGrace Hopper\n"))
    // Neither has an account, so that nobody can be pinged.
    await world.expect("__complete contacts", .init(0, "Alan Turing\nGrace Hopper\n"))
    await world.expect("__complete ping", .init(0))
    #expect(!(await world.run("help")).output.contains("__complete"))
    #expect(!(await world.run("complete")).errorOutput.contains("__complete"))
  }

  @Test func everyChoiceThatACommandKnowsCanBeCompleted() {
    let options = ([.app] + CommandDeclaration.all).flatMap(\.options)
    #expect(
      Set(options.filter { !$0.choices.isEmpty }.map(\.name)) == [
        "theme", "color", "frame", "format", "shell", "each-time",
      ])
    for shell in Shell.allCases {
      let script = shell.script(app: .app, commands: CommandDeclaration.all)
      for option in options { #expect(script.contains(option.name), "\(shell) \(option.name)") }
    }
  }

  @Test func help_isNotTakenForAShell() async {
    let world = World()
    let outcome = await world.run("completions tcsh")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorOutput.contains("tcsh"))
    #expect(
      await world.run("completions bash").output.hasSuffix("complete -F _lifesignal lifesignal\n"))
  }
}
