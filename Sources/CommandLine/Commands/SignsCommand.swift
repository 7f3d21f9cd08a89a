import Clients
import Composable
import Domain

/// `lifesignal signs`: has commands that are typed in a shell check in (CHK-10).
struct SignsCommand: StoreCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.userClient) var userClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.dateClient) var dateClient

  init(verb: Verb<Self>) { self.verb = verb }

  static let declaration = CommandDeclaration(
    "signs", "Let what you type in a shell check in (signs of life)",
    discussion: SignOfLife.explanation + [
      "Turning it on prints the line for your shell's start-up file. It asks for nothing later: a sign that"
        + " doesn't count, or that a server doesn't answer within 5 seconds, is dropped without a word.",
      "Signs are never imported, and stay off when an account moves to a server: turn them on there.",
    ],
    exitCodes: [
      .locked, .init(code: .refused, help: "A passphrase gate is set: no sign counts then"),
    ]
  ) { syntax in
    let shell: Argument<Shell> = syntax.choice(
      [.bash: "For bash 5 or later", .zsh: "For zsh", .fish: "For fish 3.5 or later"],
      placeholder: "SHELL", "The shell, for hook", isRequired: false)
    let other = syntax.option(
      "shell", "SHELL", "Print the line for this shell (default: your login shell)", of: Shell.self)
    syntax.verb("status", "Show whether a sign would count now", isDefault: true, run: Self.status)
    syntax.verb("on", "Turn signs of life on, and print the line", other, run: Self.turnOn)
    syntax.verb("off", "Turn them off", run: Self.turnOff)
    syntax.declare(
      VerbDeclaration(name: "hook", help: "Print what the line runs") {
        SignHookCommand(shell: try $0.required(shell))
      }, isDefault: false, options: [])
    syntax.declare(
      VerbDeclaration(name: "send", help: "Send a sign, as the line does; prints nothing") { _ in
        SignSendCommand()
      }, isDefault: false, options: [])
    return syntax.chosenVerb
  }

  // MARK: On and off

  private func turnOn(_ invocation: Invocation, _ chosen: Shell?) async throws -> Report {
    // Refuse and explain before asking for anything.
    let user = try await userClient.currentUser()
    if user.locks.contains(.gate) { throw ClientError.signsWithGate }
    for paragraph in SignOfLife.explanation { invocation.say(paragraph) }
    _ = try await invocation.passingGate { try await userClient.allowSigns(true) }
    let shell = chosen ?? invocation.variables["SHELL"].flatMap(Shell.init(path:))
    let shells = shell.map { [$0] } ?? Shell.allCases
    return Report(
      [
        "", "Signs of life: on",
        "Add this line at the end of the start-up file, then open a new shell:",
      ]
        + shells.map { "  \($0.startUpFile):  \($0.signLine)" })
  }

  private func turnOff(_ invocation: Invocation) async throws -> Report {
    _ = try await userClient.allowSigns(false)
    return Report([
      "Signs of life: off", "The line in your shell's start-up file has no effect now.",
    ])
  }

  // MARK: Status

  private func status(_ invocation: Invocation) async throws -> Report {
    let user = try await userClient.currentUser()
    guard user.locks.contains(.signsOfLife) else { return Report(["Signs of life: off"]) }
    let now = dateClient.now()
    // No longer ago than signs can carry a deadline.
    let checkIns = try await checkInClient.historySince(now - SignOfLife.longest)
    let alerts = try await alertClient.currentHistory(StatusReport.alertLimit)
    let sign = SignOfLife(
      of: user, after: checkIns,
      isAlertShown: alerts.contains { $0.alert.isActive && $0.alert.kind != .drill })
    var lines = ["Signs of life: on"]
    lines.append(
      checkIns.first { $0.source == .automatic }
        .map { "The last one counted \(dateClient.describe($0.date))." }
        ?? "None has counted in the last 7 days.")
    let limit = sign.limit(at: now)
    if limit > now {
      lines.append(
        "They carry your deadline to \(dateClient.describe(limit)) at most, unless you check in yourself."
      )
    }
    lines.append(
      sign.refusal(at: now).map { "One would not count now: \(reason($0, user, checkIns))." }
        ?? "One would count now.")
    return Report(lines)
  }

  /// Returns why a sign doesn't count, as it follows a colon.
  private func reason(
    _ refusal: SignOfLife.Refusal, _ user: User, _ checkIns: [CheckIn]
  ) -> String {
    switch refusal {
    case .off: "signs of life are off"
    case .gate: "a passphrase gate is set"
    case .paused: "you are paused"
    case .outing: "you are out, which only lifesignal back ends"
    case .alert: "an alert is on"
    case .overdue: "your deadline has passed, so check in"
    case .tooSoon:
      "the last check-in is less than \(SignOfLife.pause.inWords) ago"
    case .early:
      "a check-in counts from \(dateClient.describe(user.deadline.start))"
    case .budgetSpent:
      "your last check-in of your own was too long ago, so check in"
    }
  }
}

/// `lifesignal signs hook`: prints what the line in a shell's start-up file runs.
struct SignHookCommand: PlainCommand {
  var shell: Shell

  func run(_ invocation: Invocation) async throws -> Report {
    Report(shell.signHook(try invocation.folders()).lines)
  }
}

/// `lifesignal signs send`: sends a sign of life. Says nothing, whatever happens, never creates a store,
/// and starts no monitor: nobody is looking.
struct SignSendCommand: PlainCommand {
  /// How long a server has to answer.
  static let patience = Duration.seconds(5)

  func run(_ invocation: Invocation) async -> Report {
    // Cron, a service and a script of another machine have no terminal.
    guard invocation.machine.hasControllingTerminal(), let folders = try? invocation.folders(),
      invocation.machine.entry(folders.database) != .nothing
        || (try? invocation.joinedServer()) != nil,
      invocation.machine.takeTurn(folders.signStamp, Shell.signPause),
      let provide = try? invocation.storeAccess.open(folders, invocation.account, false)
    else { return Report() }
    let clients = DependencyValues(provide)
    let (either, end) = AsyncStream.makeStream(of: Never.self)
    Task {
      try? await clients.checkInClient.sign()
      end.finish()
    }
    Task {
      try? await clients.continuousClock.sleep(for: Self.patience)
      end.finish()
    }
    // The program exits after the first of the two, whatever the other waits for.
    for await _ in either {}
    return Report()
  }
}
