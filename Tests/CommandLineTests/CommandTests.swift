import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import CommandLine

@Suite struct CommandTests {
  let tool = ToolUnderTest()

  func open() async {
    _ = await tool.run(
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>")
  }

  @Test("ONB-3: init opens an account whose deadline runs")
  func initAccount() async {
    let code = await tool.run(
      "init", "--name", " Ada Lovelace ", "--interval", "36h", "--phone", "+44 20 7183 8750",
      "--note", "Penicillin", "--responder", "Grace Hopper <grace@navy.example>")
    #expect(code == .ok)
    #expect(
      tool.output == [
        "Welcome, Ada Lovelace. Your first deadline is tomorrow 20:00.",
        "If you miss it: Grace Hopper, 15m later.",
      ])
    #expect(await tool.run("status", "--json") == .ok)
    #expect(
      tool.output == [
        #"{"name":"Ada Lovelace","status":"ok","last_check_in":"2026-11-21T08:00:00Z","#
          + #""deadline":"2026-11-22T20:00:00Z","seconds_left":129600,"responders":1}"#
      ])
  }

  @Test("ONB-1: init without a responder warns")
  func noResponder() async {
    #expect(await tool.run("init", "--name", "Ada Lovelace") == .ok)
    #expect(tool.output.last == "Nobody would be told if you miss it: add a responder in the app.")
  }

  @Test func aSecondAccountIsRefused() async {
    await open()
    #expect(await tool.run("init", "--name", "Somebody Else") == .error)
    #expect(
      tool.errors == ["lifesignal: There is an account here already. Start lifesignal to see it."])
  }

  @Test(
    "Bad values name the option and the reason",
    arguments: [
      (["--name", "A"], "--name: A name needs at least 2 characters."),
      (
        ["--name", "Ada\u{1B}[2J"],
        "--name: A name cannot contain “U+1B”. Use letters, spaces, hyphens, apostrophes and periods."
      ),
      (
        ["--name", String(repeating: "a", count: 10_000)],
        "--name: A name has at most 50 characters; this one has 10000."
      ),
      (
        ["--name", "Ada", "--interval", "0"],
        "--interval: “0” is not a duration. Write it like 36h, 90m or 2d 12h."
      ),
      (
        ["--name", "Ada", "--interval", "0h"],
        "--interval: The interval must be between 1 hour and 30 days. Choose for example 24h."
      ),
      (
        ["--name", "Ada", "--interval", "banana"],
        "--interval: “banana” is not a duration. Write it like 36h, 90m or 2d 12h."
      ),
      (
        ["--name", "Ada", "--phone", "12"],
        "--phone: This is not a phone number with its country code. Write it like +44 20 7183 8750."
      ),
      (
        ["--name", "Ada", "--email", "ada"],
        "--email: This is not an e-mail address. Write it like name@example.org."
      ),
      (
        ["--name", "Ada", "--responder", "Grace"],
        "--responder: This is not an e-mail address. Write it like name@example.org."
      ),
      (
        ["--name", "Ada", "--reminder", "24h"],
        "--reminder: A reminder must come before the deadline. Choose a lead time shorter than the interval."
      ),
      (
        ["--name", "Ada", "--grace", "25h"],
        "--grace: The grace time must be between 0 and 24 hours. Choose for example 15m."
      ),
    ])
  func badValues(options: [String], message: String) async {
    do {
      let arguments = try ParsedArguments(["init"] + options)
      #expect(throws: UsageError(message: message, command: "init")) {
        try InitCommand(arguments)
      }
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("CHK-1: check-in moves the deadline")
  func checkIn() async {
    await open()
    tool.now = tool.now + .hours(5)
    #expect(await tool.run("check-in") == .ok)
    #expect(tool.output == ["Checked in. Next deadline tomorrow 13:00."])
  }

  @Test(
    "ORD-2: the status and its exit code follow the clock",
    arguments: [
      (TimeSpan.hours(1), "ok", ExitCode.ok, 82_800), (.hours(20), "due_soon", .dueSoon, 14_400),
      (.hours(24), "overdue", .overdue, 0), (.hours(25), "non_responsive", .overdue, -3_600),
    ])
  func status(elapsed: TimeSpan, status: String, code: ExitCode, left: Int) async {
    await open()
    tool.now = tool.now + elapsed
    #expect(await tool.run("status", "--json") == code)
    #expect(tool.output[0].contains(#""status":"\#(status)""#))
    #expect(tool.output[0].contains(#""seconds_left":\#(left),"#))
  }

  @Test("WCH-1: the status in words says who watches")
  func statusWords() async {
    await open()
    #expect(await tool.run("status") == .ok)
    #expect(
      tool.output == [
        """
        Ada Lovelace: all is well, 1d left
        last check-in  today 08:00
        deadline       tomorrow 08:00
        responders     1
        watched by     nobody – start “lifesignal monitor”
        """
      ])
  }

  @Test("ALT-1, ALT-2: an alert goes on and off, makes sure of a monitor, and is a status")
  func alert() async {
    await open()
    #expect(await tool.run("alert", "on", "--message", "fell on the stairs") == .ok)
    #expect(tool.output == ["The alert is on."])
    #expect(tool.monitorsStarted.withLock { $0 } == 1)
    #expect(await tool.run("status", "--json") == .alert)
    #expect(await tool.run("alert", "off") == .ok)
    #expect(await tool.run("status", "--json") == .ok)
    #expect(await tool.run("alert", "off") == .error)
    #expect(tool.errors == ["lifesignal: There is no active alert."])
  }

  @Test("ALT-4: a message that is too long or misplaced is refused")
  func alertMessage() async {
    await open()
    #expect(
      await tool.run("alert", "on", "--message", String(repeating: "x", count: 501)) == .usage)
    #expect(await tool.run("alert", "off", "--message", "x") == .usage)
  }

  @Test func contacts() async {
    await open()
    #expect(await tool.run("contacts") == .ok)
    #expect(tool.output == ["Grace Hopper (responder): grace@navy.example"])
    #expect(await tool.run("contacts", "--json") == .ok)
    #expect(
      tool.output == [
        #"[{"name":"Grace Hopper","roles":["responder"],"email":"grace@navy.example","phone":null}]"#
      ])
  }

  @Test(
    "Without an account every command says what to do",
    arguments: ["check-in", "status", "contacts"])
  func noAccount(command: String) async {
    #expect(await tool.run(command) == .error)
    #expect(
      tool.errors == [
        "lifesignal: There is no account here yet. Start lifesignal, or run lifesignal init."
      ])
  }

  @Test func withoutAHomeThereIsNoPlaceForFiles() async {
    #expect(await tool.run("status", environment: [:]) == .error)
    #expect(tool.errors[0].contains("HOME is not set"))
  }

  @Test func secretsAreKeptAndDeleted() async {
    let tool = ToolUnderTest(secret: "hunter2")
    #expect(await tool.run("keychain", "set", "smtp-password") == .ok)
    #expect(tool.output == ["Kept."])
    #expect(await tool.run("keychain", "delete", "smtp-password") == .ok)
    #expect(await tool.run("keychain", "set", "other") == .usage)
  }

  @Test func nothingEnteredChangesNothing() async {
    #expect(await tool.run("keychain", "set", "smtp-password") == .error)
    #expect(tool.errors == ["lifesignal: Nothing was entered, so nothing was changed."])
  }

  @Test func versionAndHelp() async {
    #expect(await tool.run("--version") == .ok)
    #expect(tool.output == ["lifesignal 0.1.0"])
    #expect(await tool.run("help", "status") == .ok)
    #expect(tool.output[0].hasPrefix("Say how much time is left."))
    #expect(await tool.run("help", "nothing") == .usage)
  }

  @Test("Text from outside never reaches the terminal raw")
  func hostile() async {
    #expect(await tool.run("\u{1B}]0;owned\u{7}") == .usage)
    #expect(!tool.errors.joined().unicodeScalars.contains("\u{1B}"))
    #expect(!tool.errors.joined().unicodeScalars.contains("\u{7}"))
  }
}

@Suite struct JSONTextTests {
  @Test func literalsAreEscaped() {
    #expect(JSONText.string("a\"b\\c\n\u{1B}[0m\u{202E}é😀") == #""a\"b\\c\n\u001b[0m\u202eé😀""#)
  }
}
