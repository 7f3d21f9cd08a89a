import Foundation
import Terminal
import TerminalTesting
import Testing

/// The app in a real PTY, key by key.
@Suite(.serialized) struct AppTests {
  /// Completes the onboarding with a responder.
  func onboard(_ pty: PTY) throws {
    try pty.wait(for: "Who are you?")
    pty.send("Ada Lovelace")
    try pty.wait(for: "Ada Lovelace")
    pty.press("enter")
    pty.send("+44 20 7183 8750")
    try pty.wait(for: "7183 8750")
    pty.press("enter")
    pty.send("4 Mill Lane, Ely")
    try pty.wait(for: "4 Mill Lane, Ely")
    pty.press("enter")
    try pty.wait(for: "What should your responders know")
    pty.send("Penicillin allergy.")
    try pty.wait(for: "Penicillin allergy.")
    pty.press("tab")
    try pty.wait(for: "How often will you check in?")
    pty.press("enter", "enter")
    pty.send("ada@example.org")
    try pty.wait(for: "ada@example.org")
    pty.press("enter")
    try pty.wait(for: "Who should be notified")
    pty.send("Grace Hopper")
    try pty.wait(for: "Grace Hopper")
    pty.press("enter")
    pty.send("grace@navy.example")
    try pty.wait(for: "grace@navy.example")
    pty.press("enter")
    try pty.wait(for: "Send Grace Hopper a test message")
    pty.press("l")
    try pty.wait(for: "Next check-in")
  }

  /// Expects that the program has restored the terminal.
  func expectClean(_ pty: PTY, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(!pty.screen.isAlternateScreen, sourceLocation: sourceLocation)
    #expect(pty.screen.isCursorVisible, sourceLocation: sourceLocation)
    #expect(pty.screen.keyboardFlags == 0, sourceLocation: sourceLocation)
    #expect(
      pty.screen.modes.isDisjoint(with: [1000, 1002, 1003, 1004, 1006, 1016, 2004, 2026, 2048]),
      sourceLocation: sourceLocation)
    #expect(pty.attributes.isCooked, sourceLocation: sourceLocation)
  }

  @Test("An open app quits and says so when its machine joins a server")
  func joined() throws {
    let home = try Home()
    let pty = try home.open()
    try onboard(pty)
    let folder = URL(fileURLWithPath: home.database).deletingLastPathComponent()
    #expect(
      FileManager.default.createFile(
        atPath: folder.path + "/joined-server.json",
        contents: Data(#"{"url":"http://127.0.0.1:9"}"#.utf8),
        attributes: [.posixPermissions: 0o600]))
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
    #expect(
      pty.screen.lines.joined(separator: " ").contains("has joined the server 127.0.0.1:9"))
  }

  @Test(
    "ONB-1, CHK-1: onboarding and a check-in work, and the same person is there after a restart")
  func firstDay() throws {
    let home = try Home()
    var pty = try home.open()
    try onboard(pty)
    try pty.wait(for: "Nobody would be notified: mail is not set up")
    try pty.wait(for: "◐ unsent")
    pty.press("c")
    try pty.wait(for: "Next deadline tomorrow")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)

    pty = try home.open(columns: 120, rows: 40)
    try pty.wait(for: "Next check-in")
    try pty.wait(for: "every 24h")
    try pty.wait(for: "Today")
    pty.press("5")
    try pty.wait(for: "+44 20 7183 8750")
    try pty.wait(for: "Penicillin allergy.")
    pty.press("t")
    try pty.wait(for: "‹ auto ›")
    pty.press("right")
    try pty.wait(for: "‹ dark ›")
    pty.press("esc")
    try pty.wait { !$0.contains("Reduced motion") }
    try pty.wait(for: "theme           dark")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)

    pty = try home.open()
    try pty.wait(for: "Next check-in")
    pty.press("5")
    try pty.wait(for: "theme           dark")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("ALT-1, ALT-2: the emergency key raises an alert, and typing cancel ends it")
  func alert() throws {
    let home = try Home()
    let pty = try home.open()
    try onboard(pty)
    pty.send("!!!!")
    try pty.wait(for: "one more")
    // Four presses raise nothing: the bar empties after two seconds.
    try pty.wait { !$0.contains("one more") }
    pty.send("!!!!!")
    try pty.wait(for: "Sends in")
    pty.press("enter")
    try pty.wait {
      $0.contains("ALERT ON · NOT SENT YET: mail is not set up")
    }
    let status = try home.run("status", "--json")
    #expect(status.code == 30, "\(status)")
    pty.send("mxc")
    pty.press("enter")
    pty.press("esc")
    try pty.wait {
      $0.contains("x Cancel alert") && $0.contains("NOT SENT YET: mail is not set up")
    }
    // Words with an x in them don't cancel it.
    pty.send("next")
    try pty.wait { !$0.contains("Cancel the alert?") }
    #expect(try home.run("status", "--json").code == 30)
    pty.press("x")
    try pty.wait(for: "Cancel the alert?")
    pty.send("cancel")
    try pty.wait(for: "Alert cancelled. Nobody had been")
    #expect(try home.run("status", "--json").code == 0)
    pty.press("4")
    try pty.wait(for: "Your alert is over")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test("ALT-1: the emergency key works in a window that is too small for anything else")
  func alertInASmallWindow() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let pty = try home.open(columns: 50, rows: 12)
    try pty.wait(for: "! Nobody would be notified")
    pty.send("!!!!!")
    try pty.wait(for: "Sends in")
    pty.press("enter")
    try pty.wait(for: "ALERT ON")
    #expect(try home.run("status", "--json").code == 30)
    pty.press("esc")
    try pty.wait(for: "x asks before it cancels")
    pty.send("!")
    try pty.wait(for: "ALERT ON")
    pty.press("esc")
    try pty.wait(for: "x asks before it cancels")
    pty.press("x")
    try pty.wait(for: "Cancel the alert?")
    pty.press("esc")
    try pty.wait { !$0.contains("Cancel the alert?") }
    pty.press("q")
    try pty.wait(for: "Your alert stays on")
    pty.press("y")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("CON-3, CON-4: a contact can be added, edited, and removed after a confirmation")
  func contacts() throws {
    let home = try Home()
    let pty = try home.open()
    try onboard(pty)
    pty.press("2")
    try pty.wait(for: "Responders · by name")
    // Mail isn't set up, so the form suggests ntfy once that is known.
    try pty.wait(for: "unsent")
    pty.press("a")
    try pty.wait(for: "‹ ntfy ›")
    pty.send("Mary Ward")
    pty.press("tab", "left")
    try pty.wait(for: "‹ webhook ›")
    pty.press("left")
    try pty.wait(for: "‹ e-mail ›")
    pty.press("tab")
    pty.send("not an address")
    try pty.wait(for: "not an address")
    pty.press("enter")
    try pty.wait(for: "This isn't an e-mail address.")
    pty.press("ctrl+u")
    pty.paste("mary@example.org\r\n")
    try pty.wait(for: "mary@example.org")
    pty.press("enter")
    try pty.wait(for: "Mary Ward saved")
    // Mail isn't set up.
    try pty.wait(for: "▌✗ Mary Ward")
    #expect(try home.run("contacts").output.contains("mary@example.org"))

    pty.press("enter")
    try pty.wait(for: "responds for you")
    pty.press("e")
    try pty.wait(for: "Edit Mary Ward")
    pty.press("ctrl+u")
    pty.send("Mary Elizabeth Ward")
    pty.press("enter")
    try pty.wait(for: "Mary Elizabeth Ward saved")

    pty.press("enter")
    try pty.wait(for: "responds for you")
    pty.press("x")
    try pty.wait(for: "Remove Mary Elizabeth Ward?")
    pty.press("y")
    try pty.wait(for: "Mary Elizabeth Ward removed.")
    #expect(try !home.run("contacts").output.contains("Mary"))
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("INT-1: the interval changes after a confirmation")
  func interval() throws {
    let home = try Home()
    let pty = try home.open()
    try onboard(pty)
    pty.press("i")
    try pty.wait(for: "every 8h")
    pty.press("home", "enter")
    try pty.wait(for: "Change how often?")
    try pty.wait(for: "You will check in every 8 hours.")
    pty.press("enter")
    try pty.wait(for: "You now check in every 8 hours.")
    // Digits typed on a preset start a custom interval.
    pty.press("i")
    try pty.wait(for: "every 8h")
    pty.press("2", "0", "h", "enter")
    try pty.wait(for: "You will check in every 20 hours.")
    pty.press("enter")
    try pty.wait(for: "You now check in every 20 hours.")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("The screen follows the window's size, and a window below 60 × 18 gets a message")
  func resize() throws {
    let home = try Home()
    let pty = try home.open()
    try onboard(pty)
    pty.resize(to: Size(columns: 120, rows: 40))
    try pty.wait(for: " LifeSignal ▏1 Check-In▕")
    pty.resize(to: Size(columns: 40, rows: 10))
    try pty.wait(for: "needs 60 × 18")
    pty.resize(to: Size(columns: 1, rows: 1))
    pty.resize(to: Size(columns: 80, rows: 24))
    try pty.wait(for: "Last check-ins")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("Ctrl-Z leaves the terminal clean, and fg brings the app back")
  func suspend() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let pty = try PTY(
      "/bin/bash", ["--norc", "--noprofile", "-i"],
      environment: ["HOME": home.path, "PS1": "prompt> ", "HISTFILE": nil, "TZ": "UTC"],
      size: Size(columns: 80, rows: 24))
    try pty.wait(for: "prompt>")
    pty.send(BuiltProgram.path("lifesignal") + "\r")
    try pty.wait(for: "Next check-in")
    pty.press("ctrl+z")
    try pty.wait(for: "Stopped")
    #expect(!pty.screen.isAlternateScreen)
    #expect(pty.screen.isCursorVisible)
    pty.send("echo in the shell\r")
    try pty.wait { $0.lines.contains("in the shell") }
    pty.send("fg\r")
    try pty.wait(for: "Next check-in")
    pty.press("q")
    // An earlier prompt reappears as soon as the app leaves the alternate screen. Wait for a new
    // one, which means that the app has exited and the shell reads input.
    try pty.wait { $0.lines.last { !$0.isEmpty }?.hasPrefix("prompt>") == true }
    #expect(!pty.screen.isAlternateScreen)
    pty.send("exit\r")
    try pty.waitForExit()
  }

  @Test(
    "SIGTERM, SIGHUP and SIGINT leave the terminal clean",
    arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(number: Int32) throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let pty = try home.open()
    try pty.wait(for: "Next check-in")
    pty.signal(number)
    #expect(try pty.waitForExit() == .killed(number))
    expectClean(pty)
  }

  @Test("A lifesignal: link opens its screen, by lifesignal open or pasted into the app")
  func link() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let pty = try home.open("open", "lifesignal://alerts")
    try pty.wait(for: "Nothing has happened so far.")
    pty.paste("lifesignal://profile")
    try pty.wait(for: "LifeSignal is no substitute for emergency services.")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("A change in one terminal appears in the other")
  func twoTerminals() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let left = try home.open()
    let right = try home.open()
    try left.wait(for: "Next check-in")
    try right.wait(for: "Next check-in")
    left.press("2")
    try left.wait(for: "Nobody would be notified")
    left.press("a")
    try left.wait(for: "Add a contact")
    left.send("Grace Hopper")
    // Mail isn't set up, so the sheet begins with ntfy.
    left.press("tab", "left", "left")
    try left.wait(for: "E-mail")
    left.press("tab")
    left.send("grace@navy.example")
    try left.wait(for: "grace@navy.example")
    left.press("enter")
    try left.wait(for: "Grace Hopper saved")
    try right.wait(for: "Nobody would be notified: mail is not set up")
    for pty in [left, right] {
      pty.press("q")
      #expect(try pty.waitForExit() == .exited(0))
    }
  }

  @Test("The app survives random typing, clicking and resizing", arguments: 1...6)
  func monkey(seed: Int) throws {
    let home = try Home()
    let pty = try home.open("demo")
    try pty.wait(for: "Check in now")
    var monkey = Monkey(seed: UInt64(seed))
    for _ in 0..<150 {
      monkey.act(on: pty)
      // Read the output, or both sides would block on full buffers.
      _ = pty.read(milliseconds: 2)
    }
    pty.signal(SIGTERM)
    #expect(try pty.waitForExit() == .killed(SIGTERM), "after \(monkey.acts.suffix(20))")
    expectClean(pty)
  }

  @Test("Without a usable terminal the app exits with 1 and says why")
  func noTerminal() throws {
    let home = try Home()
    let result = try home.run(program: "/usr/bin/setsid", ["-w", BuiltProgram.path("lifesignal")])
    #expect(result.code == 1)
    #expect(result.errors.hasPrefix("lifesignal: There is no terminal to draw on"))
    let dumb = try home.open(environment: ["TERM": "dumb"])
    #expect(try dumb.waitForExit() == .exited(1))
    #expect(dumb.screen.contains("This terminal cannot show full screens"))
  }

  @Test("The app's screen is the same in tmux, row by row", arguments: [(80, 24), (120, 40)])
  func tmux(columns: Int, rows: Int) throws {
    let home = try Home()
    try home.run(
      "init", "--name", "Ada Lovelace", "--note", "小林 さくら has a key", "--responder",
      "Grace Hopper <grace@navy.example>")
    let direct = try home.open(columns: columns, rows: rows)
    // tmux interprets the app's output with its own parser and redraws it.
    try Data("set -g status off\n".utf8).write(to: URL(fileURLWithPath: home.path + "/tmux.conf"))
    let throughTmux = try PTY(
      "/usr/bin/tmux",
      [
        "-S", home.path + "/tmux", "-f", home.path + "/tmux.conf", "-u", "new-session",
        BuiltProgram.path("lifesignal"),
      ],
      environment: ["HOME": home.path, "TZ": "UTC", "TMUX": nil],
      size: Size(columns: columns, rows: rows))
    for pty in [direct, throughTmux] { try pty.wait(for: "Check in now") }
    // Screens without a countdown, so that both show the same at any time.
    for (key, sign) in [
      ("5", "reminders to"), ("2", "Responders · by name"), ("a", "Add a contact"),
    ] {
      for pty in [direct, throughTmux] {
        pty.send(key)
        try pty.wait(for: sign)
        if key == "a" {
          // Instead of an ntfy topic, which is another one in each app.
          pty.press("tab", "left", "left")
          try pty.wait(for: "E-mail")
        }
        // If there is space, the top line says why.
        try pty.wait { $0.contains("◐ unsent") || $0.contains("◐ mail is not set up") }
      }
      // Either may still be drawing what it has just learned.
      try throughTmux.wait { screen in
        _ = direct.read(milliseconds: 1)
        return screen.lines == direct.screen.lines
      }
    }
    for pty in [direct, throughTmux] {
      pty.press("ctrl+c")
      try pty.wait(for: "Leave without saving?")
      pty.press("y")
      #expect(try pty.waitForExit() == .exited(0))
    }
  }
}
