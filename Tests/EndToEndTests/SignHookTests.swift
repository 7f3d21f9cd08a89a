import Foundation
import Terminal
import TerminalTesting
import Testing

/// CHK-10: the hooks in the real shells, in a terminal, with a program in place of `lifesignal` that
/// notes how it was called.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SignHookTests {
  enum Shell: String, CaseIterable, CustomTestStringConvertible {
    case bash, zsh, fish

    var testDescription: String { rawValue }

    var path: String? {
      ["/usr/bin/", "/bin/"].map { $0 + rawValue }
        .first(where: FileManager.default.isExecutableFile)
    }

    /// The shells of this machine. Scripts/setup --tests installs all.
    static let installed = allCases.filter { $0.path != nil }

    /// Its start-up file, from the home.
    var startUpFile: String {
      switch self {
      case .bash: ".bashrc"
      case .zsh: ".zshrc"
      case .fish: ".config/fish/config.fish"
      }
    }

    /// A short prompt, and nothing of the shell's own.
    var plain: String {
      switch self {
      case .bash: "PS1='> '\n"
      case .zsh: "PS1='> '\nunsetopt PROMPT_SP\n"
      case .fish: "function fish_prompt; echo -n '> '; end\nset -g fish_greeting\n"
      }
    }

    /// The result of the last command.
    var status: String { self == .fish ? "$status" : "$?" }

    /// A command after which half an hour seems to have passed since the last sign.
    var letTimePass: String {
      self == .fish
        ? "touch -d '40 minutes ago' ~/.local/state/lifesignal/sign-from-fish"
        : "__lifesignal_sign_at=1"
    }
  }

  /// A person's shell in a terminal.
  final class Session {
    let home: Home
    let shell: Shell
    let pty: PTY

    /// - Parameters:
    ///   - before: Lines of the start-up file before the hook.
    ///   - after: Lines after it.
    ///   - hasHook: Whether the hook is between them.
    ///   - arguments: What the shell is started with.
    init(
      _ shell: Shell, before: String = "", after: String = "", hasHook: Bool = true,
      stub: String = "", arguments: [String] = []
    ) throws {
      (home, self.shell) = (try Home(), shell)
      let programs = home.path + "/programs"
      let data = home.path + "/.local/share/fish/generated_completions"
      for folder in [programs, data, home.path + "/.config/fish"] {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      }
      let hook = try home.run("signs", "hook", shell.rawValue)
      #expect(hook.code == 0 && hook.errors == "")
      let file = home.path + "/" + shell.startUpFile
      let text = shell.plain + before + "\n" + (hasHook ? hook.output : "") + after + "\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      let program = programs + "/lifesignal"
      try Data("#!/bin/sh\necho \"$*\" >> \"$HOME/calls\"\n\(stub)\n".utf8)
        .write(to: URL(fileURLWithPath: program))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      pty = try home.open(
        program: shell.path!, arguments, rows: 60,
        environment: [
          "PATH": programs + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": nil, "BASH_ENV": nil,
          "PROMPT_COMMAND": nil, "ZDOTDIR": nil,
        ])
      try pty.wait(limit: 60) { Self.isAtPrompt($0) }
    }

    private static func rows(_ screen: InMemoryTerminal) -> [String] {
      screen.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }

    private static func isAtPrompt(_ screen: InMemoryTerminal) -> Bool { rows(screen).last == ">" }

    /// Enters lines, each once the one before is done.
    func enter(_ lines: String...) throws {
      for line in lines {
        let count = prompts(pty.screen)
        pty.send(line + "\r")
        try pty.wait(limit: 60) { prompts($0) > count && Self.isAtPrompt($0) }
      }
    }

    private func prompts(_ screen: InMemoryTerminal) -> Int {
      Self.rows(screen).count { $0.hasPrefix(">") }
    }

    /// What the shell has asked of `lifesignal`, once as many calls as that are noted, or soon.
    func calls(_ count: Int = 0) throws -> [String] {
      let deadline = ContinuousClock.now + .seconds(count == 0 ? 0 : 20)
      while true {
        let text = try? String(contentsOfFile: home.path + "/calls", encoding: .utf8)
        let calls = (text ?? "").split(separator: "\n").map(String.init)
        if calls.count >= count || ContinuousClock.now > deadline { return calls }
        _ = pty.read(milliseconds: 10)
      }
    }

    /// The processes that the shell has started, living or dead, and that don't go away soon.
    func children() -> String {
      let path = "/proc/\(pty.process)/task/\(pty.process)/children"
      let deadline = ContinuousClock.now + .seconds(10)
      while true {
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        if children == "" || ContinuousClock.now > deadline { return children }
        pty.read(milliseconds: 20)
      }
    }
  }

  @Test(
    "CHK-10: a command counts once in half an hour, an empty line doesn't, and nothing is printed",
    arguments: Shell.installed)
  func counts(_ shell: Shell) throws {
    var screens: [String] = []
    for hasHook in [true, false] {
      let session = try Session(shell, hasHook: hasHook)
      try session.enter("", "", "   ")
      #expect(try session.calls() == [])
      try session.enter("true")
      #expect(try session.calls(hasHook ? 1 : 0) == (hasHook ? ["signs send"] : []))
      try session.enter("false", "echo it was \(shell.status)", "true", "", "true")
      #expect(session.pty.screen.contains("it was 1"))
      #expect(try session.calls().count == (hasHook ? 1 : 0))
      #expect(session.children() == "", "no process is left, not even a dead one")
      screens.append(session.pty.screen.text)
    }
    #expect(screens[0] == screens[1])
  }

  @Test(
    "CHK-10: after half an hour the next command counts again, even if the last sign failed",
    arguments: Shell.installed, ["exit 3", "sleep 0.05", "kill -9 $$", "echo oops; echo oops >&2"])
  func again(_ shell: Shell, _ stub: String) throws {
    let session = try Session(shell, stub: stub)
    for count in 1...4 {
      try session.enter("true")
      #expect(try session.calls(count).count == count)
      try session.enter(shell.letTimePass)
    }
    let shown = session.pty.screen.text
    for word in ["lifesignal signs", "disown", "oops", "illed", "Done", "ended", "[1]"] {
      #expect(!shown.contains(word), "\(word)")
    }
    #expect(session.children() == "")
  }

  @Test(
    "CHK-10: a command that runs for long counts when it was entered, not when it ends",
    arguments: Shell.installed)
  func entered(_ shell: Shell) throws {
    let session = try Session(shell)
    session.pty.send("sleep 0.4; cat ~/calls; rm ~/calls; sleep 0.4\r")
    try session.pty.wait(for: "signs send", limit: 60)
    try session.enter("true")
    #expect(try session.calls() == [])
  }

  /// What else stands in people's start-up files, and what other tools' hooks have stumbled over.
  static let surroundings: [(Shell, before: String, after: String)] = [
    (.bash, "set -u", ""), (.bash, "", "set -u"), (.bash, "", "set -e"),
    (.bash, "", "trap 'echo trapped' DEBUG ERR; set -ET"), (.bash, "set -o posix", ""),
    (.bash, "PROMPT_COMMAND='echo prompt $?;'", ""),
    (.bash, "PROMPT_COMMAND=('echo a' 'echo b')", ""),
    (.bash, "readonly PROMPT_COMMAND=:", ""), (.bash, "PS0='now\\n'", ""), (.bash, "set +m", ""),
    (.bash, "set -C; shopt -s nullglob failglob extglob; IFS=_-", ""),
    (.bash, "alias command='echo wrong' lifesignal='echo wrong'", ""),
    (.zsh, "setopt NO_UNSET KSH_ARRAYS SH_WORD_SPLIT", ""),
    (.zsh, "", "setopt ERR_EXIT ERR_RETURN"),
    (.zsh, "setopt WARN_CREATE_GLOBAL WARN_NESTED_VAR", ""), (.zsh, "emulate ksh", ""),
    (.zsh, "setopt NOTIFY CHECK_JOBS HUP LONG_LIST_JOBS", ""), (.zsh, "unsetopt MONITOR", ""),
    (.zsh, "preexec() { print run }; precmd() { print prompt $? }", ""),
    (.zsh, "exec 3<&0 0</dev/null", "exec 0<&3 3<&-"),
    (.zsh, "alias command='echo wrong' lifesignal='echo wrong'", ""),
    (.fish, "function other --on-event fish_preexec; echo run; end", ""),
    (.fish, "function lifesignal; echo wrong; end", ""),
  ].filter { $0.0.path != nil }

  @Test(
    "CHK-10: a sign needs no settings of the shell, and takes nothing from other hooks",
    arguments: surroundings)
  func amongOthers(_ shell: Shell, before: String, after: String) throws {
    var screens: [String] = []
    for hasHook in [true, false] {
      let session = try Session(shell, before: before, after: after, hasHook: hasHook)
      try session.enter("true", "", "echo it was \(shell.status)")
      #expect(try session.calls(hasHook ? 1 : 0) == (hasHook ? ["signs send"] : []))
      screens.append(session.pty.screen.text)
    }
    #expect(screens[0] == screens[1])
  }

  @Test("CHK-10: a start-up file can be read twice", arguments: Shell.installed)
  func twice(_ shell: Shell) throws {
    let session = try Session(shell)
    try session.enter("true")
    #expect(try session.calls(1).count == 1)
    try session.enter("source ~/\(shell.startUpFile)", "true", "true")
    #expect(try session.calls().count == 1)
    try session.enter(shell.letTimePass, "true", "true")
    #expect(try session.calls(2).count == 2)
  }

  @Test(
    "CHK-10: where bash's PS0 can't be used, the hook says so once, when the shell starts",
    arguments: ["readonly PS0=", "shopt -u promptvars"])
  func noPS0(_ before: String) throws {
    let session = try Session(.bash, before: before, after: "PS1='> '")
    try session.enter("true", "true")
    #expect(try session.calls() == [])
    let told = session.pty.screen.text.ranges(of: "no signs of life from this shell").count
    #expect(told == 1)
  }

  @Test(
    "CHK-10: a script, a shell without a terminal and its children send nothing and say nothing",
    arguments: Shell.installed)
  func withoutTerminal(_ shell: Shell) throws {
    let session = try Session(shell)
    let (home, path) = (session.home, shell.path!)
    let file = home.path + "/" + shell.startUpFile
    for arguments in [["-c", "source \(file); true"], ["-ic", "true"], ["-i"]] {
      let result = try home.run(program: path, arguments, input: "true\ntrue\n")
      #expect(!(result.output + result.errors).contains("lifesignal"), "\(arguments): \(result)")
    }
    #expect(try session.calls() == [])
  }

  @Test(
    "CHK-10: before a sign is due, a command costs no process and much less time than starting one",
    arguments: Shell.installed)
  func cost(_ shell: Shell) throws {
    let session = try Session(shell)
    try session.enter("true")
    _ = try session.calls(1)
    // Field 11 of stat counts the page faults of children that were waited for.
    let (count, hook, start): (Int, String, String)
    switch shell {
    case .bash:
      count = 1_000
      (hook, start) = (": \"${PS0@P}\"", "for ((i=0;i<\(count);i++)); do HOOK; done")
      try session.enter(
        "f() { read -ra a </proc/$$/stat; \(start.replacing("HOOK", with: hook));"
          + " read -ra b </proc/$$/stat; echo faults=$((b[10]-a[10])); }", "f")
    case .zsh:
      count = 1_000
      (hook, start) = ("__lifesignal_sign x", "repeat \(count) { HOOK }")
      try session.enter(
        "f() { read -A a </proc/$$/stat; \(start.replacing("HOOK", with: hook));"
          + " read -A b </proc/$$/stat; echo faults=$((b[11]-a[11])) }", "f")
    case .fish:
      count = 1_000
      (hook, start) = ("__lifesignal_sign x", "for i in (seq \(count)); HOOK; end")
      try session.enter(
        "function f; set n (seq \(count)); read -a a -d ' ' </proc/$fish_pid/stat; for i in $n; \(hook); end;"
          + " read -a b -d ' ' </proc/$fish_pid/stat; echo faults=(math $b[11] - $a[11]); end", "f")
    }
    #expect(session.pty.screen.contains("faults=0"), "\(session.pty.screen.text)")
    // As many commands with the hook as a fifth of that many processes.
    let processes = start.replacing("\(count)", with: "\(count / 5)")
      .replacing("HOOK", with: "/bin/true")
    try session.enter(
      "date +%s%N >~/t0; \(start.replacing("HOOK", with: hook)); date +%s%N >~/t1; \(processes);"
        + " date +%s%N >~/t2")
    let times = try (0...2).map { number in
      let text = try String(contentsOfFile: session.home.path + "/t\(number)", encoding: .utf8)
      return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    #expect(times[1] - times[0] < times[2] - times[1])
    #expect(try session.calls().count == 1)
  }

  @Test(
    "CHK-10: with the real program, a command in a terminal checks in, and a script doesn't",
    .enabled(if: BuiltProgram.exists("clocked-lifesignal")), arguments: Shell.installed)
  func checksIn(_ shell: Shell) throws {
    let clock = NSTemporaryDirectory() + "clock-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: clock) }
    func set(_ seconds: Int64) throws {
      let time = withUnsafeBytes(of: (1_795_000_000 + seconds) * 1_000) { Data($0) }
      try time.write(to: URL(fileURLWithPath: clock))
    }
    try set(0)
    let program = BuiltProgram.path("clocked-lifesignal")
    let session = try Session(shell, arguments: [])
    let variables = ["CLOCK_FILE": clock]
    func run(_ words: String...) throws -> String {
      try session.home.run(program: program, words, environment: variables).output
    }
    try Data("#!/bin/sh\nCLOCK_FILE=\(clock) exec \(program) \"$@\"\n".utf8)
      .write(to: URL(fileURLWithPath: session.home.path + "/programs/lifesignal"))
    _ = try run("init", "--name", "Ada Lovelace")
    #expect(try run("signs", "on").contains("Signs of life: on"))
    try set(3_600)
    // Without a terminal.
    _ = try run("signs", "send")
    #expect(try !run("history").contains("automatic"))
    try session.enter("true")
    let deadline = ContinuousClock.now + .seconds(60)
    while try !run("history").contains("automatic"), ContinuousClock.now < deadline {
      session.pty.read(milliseconds: 100)
    }
    #expect(try run("history").contains("automatic"))
    #expect(session.home.monitors == [])
    session.pty.send("exit\r")
    try session.pty.waitForExit()
  }
}
