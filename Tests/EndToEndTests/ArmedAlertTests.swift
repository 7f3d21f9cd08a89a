import Foundation
import Terminal
import TerminalTesting
import Testing

/// ALT-7, with real programs: whatever ends the app during its countdown, the alert is sent.
@Suite(.serialized) struct ArmedAlertTests {
  enum End: CaseIterable {
    case killed, hungUp, stopped, suspended
  }

  /// Creates Ada's account with Grace as her responder.
  private func makeWorld() throws -> World {
    let world = try World()
    let result = try world.home.run(
      program: BuiltProgram.path("clocked-lifesignal"),
      ["init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>"],
      environment: world.variables)
    #expect(result.code == 0, "\(result)")
    return world
  }

  private func open(_ world: World) throws -> PTY {
    let app = try world.home.open(
      program: "clocked-lifesignal", [], environment: world.variables.mapValues { $0 })
    try app.wait(for: "Check in now")
    return app
  }

  /// Opens the app and waits for the first message to a contact, which shows that a monitor is
  /// running.
  private func openWatched(_ world: World) throws -> PTY {
    let app = try open(world)
    try world.mail.brings("named you as a contact", to: "grace@navy.example")
    return app
  }

  @Test(
    "ALT-7: an alert is sent once even if the app is killed or stopped during the countdown",
    arguments: [
      (End.killed, 0), (.killed, 1), (.killed, 3), (.killed, 4), (.hungUp, 2), (.stopped, 2),
      (.suspended, 4),
    ])
  func ends(how: End, second: Int) throws {
    let world = try makeWorld()
    defer { world.killMonitors() }
    let app = try open(world)
    app.send("!!!!!")
    try app.wait(for: "Sends in 5 seconds")
    try app.wait(for: "It is sent even if this window closes.")
    // The first message to a contact shows that a monitor is running.
    try world.mail.brings("named you as a contact", to: "grace@navy.example")
    for left in (5 - second..<5).reversed() {
      try world.time.passes(seconds: 1)
      // `wait` moves the clock on if a program sleeps too long because the time jumped.
      try world.wait(for: "the countdown at \(left) s", at: #_sourceLocation) {
        app.read(milliseconds: 5)
        return (0...left).contains { app.screen.contains("Sends in \($0) s") }
          || !app.screen.contains("Sends in")
      }
    }
    switch how {
    case .killed: app.signal(SIGKILL)
    case .hungUp: app.signal(SIGHUP)
    case .stopped: app.signal(SIGSTOP)
    case .suspended: app.press("ctrl+z")
    }
    if how == .hungUp || how == .killed { _ = try app.waitForExit() }
    try world.mail.brings("Subject: ALERT: Ada Lovelace", to: "grace@navy.example")
    if how == .stopped || how == .suspended { app.signal(SIGKILL) }
    // Opening the app again shows exactly one alert.
    let again = try open(world)
    try again.wait(for: "ALERT ON")
    #expect(world.mail.rest.isEmpty)
  }

  @Test("ALT-7: an alert stopped during the countdown is sent to nobody")
  func stop() throws {
    let world = try makeWorld()
    defer { world.killMonitors() }
    var app = try open(world)
    app.send("!!!!!")
    try app.wait(for: "Sends in 5 seconds")
    app.press("esc")
    try app.wait(for: "Stopped. Nobody was notified.")
    app.signal(SIGKILL)
    try world.mail.brings("named you as a contact", to: "grace@navy.example")
    try world.time.passes(seconds: 90)
    app = try open(world)
    app.send("!!!!!")
    try app.wait(for: "Sends in 5 seconds")
    app.press("enter")
    // The stopped alert would have been sent by then.
    try world.mail.brings("Subject: ALERT: Ada Lovelace", to: "grace@navy.example")
    #expect(world.mail.rest.isEmpty)
  }

  @Test(
    "ALT-7: an alert stopped while another program locks the store is sent to nobody",
    arguments: [false, true])
  func stopBesideALock(isLockedBefore: Bool) throws {
    let world = try makeWorld()
    defer { world.killMonitors() }
    let app = try openWatched(world)
    var lock: WriteLock?
    if isLockedBefore { lock = try world.home.lockStore() }
    app.send("!!!!!")
    try app.wait(for: "Sends in 5 seconds")
    if !isLockedBefore { lock = try world.home.lockStore() }
    app.press("esc")
    try app.wait(for: "Stopped. Nobody was notified.")
    // The alert becomes due while nobody can write.
    try world.time.passes(seconds: 30)
    lock?.release()
    try world.time.passes(seconds: 60)
    app.send("!!!!!")
    try app.wait(for: "Sends in 5 seconds")
    app.press("enter")
    try world.mail.brings("Subject: ALERT: Ada Lovelace", to: "grace@navy.example")
    #expect(world.mail.rest.isEmpty)
    app.signal(SIGKILL)
  }

  @Test(
    "ALT-7: with a store that can't be opened, an alert is sent once, and is on after the repair")
  func damagedStore() throws {
    let world = try makeWorld()
    defer { world.killMonitors() }
    let first = try openWatched(world)
    first.press("q")
    _ = try first.waitForExit()
    // A monitor that is just starting appears a moment later. Signal each only once, since a second
    // signal would keep it from finishing.
    var asked: Set<pid_t> = []
    try world.wait(for: "the log of the store to go", at: #_sourceLocation) {
      for monitor in world.home.monitors where asked.insert(monitor).inserted {
        kill(monitor, SIGTERM)
      }
      return access(world.home.database + "-wal", F_OK) != 0
    }
    flipMark(of: world.home.database)
    let app = try world.home.open(
      program: "clocked-lifesignal", [], environment: world.variables.mapValues { $0 })
    try app.wait(for: "press ! five times")
    app.send("!!!!!")
    try app.wait(for: "Sends in")
    app.press("enter")
    try world.mail.brings("Subject: ALERT: Ada Lovelace", to: "grace@navy.example")
    try world.mail.brings("obody has been watched", to: "grace@navy.example")
    // Another monitor must not start, since it would send the alert again. It ends like one that
    // finds a running monitor in a store that opens.
    let another = try world.home.run(
      program: BuiltProgram.path("clocked-lifesignal"), ["lifesignal-monitor", "--if-none"],
      environment: world.variables)
    #expect(another.code == 0, "\(another)")
    flipMark(of: world.home.database)
    try world.wait(for: "the alert to be on", at: #_sourceLocation) {
      app.read(milliseconds: 5)
      return app.screen.contains("ALERT ON")
    }
    #expect(world.mail.rest.isEmpty)
  }

  @Test("ALT-7: a full disk doesn't stop an alert that was begun from being sent")
  func fullDisk() throws {
    let world = try makeWorld()
    defer { world.killMonitors() }
    let app = try openWatched(world)
    app.send("!!!!!")
    try app.wait(for: "Sends in 5 seconds")
    // No program can extend a file any more.
    for process in world.home.monitors + [app.process] {
      try limitFiles(of: process, to: "0", in: world)
    }
    try world.mail.brings("Subject: ALERT: Ada Lovelace", to: "grace@navy.example")
    app.signal(SIGKILL)
  }

  @Test(
    "ALT-7: if no place can store an alert, the screen says NOT SENT and retries until it is sent")
  func notSent() throws {
    let world = try makeWorld()
    defer { world.killMonitors() }
    let app = try openWatched(world)
    try limitFiles(of: app.process, to: "0", in: world)
    app.send("!!!!!")
    try app.wait {
      $0.contains("NOT SENT – call 112") && $0.contains("Trying again every 2 seconds")
    }
    // The keys still work.
    app.press("2")
    try app.wait(for: "NOT SENT – call 112")
    #expect(world.mail.rest.isEmpty)
    try limitFiles(of: app.process, to: "unlimited", in: world)
    try world.mail.brings("Subject: ALERT: Ada Lovelace", to: "grace@navy.example")
    try world.wait(for: "the alert to be on", at: #_sourceLocation) {
      app.read(milliseconds: 5)
      return app.screen.contains("ALERT ON")
    }
    #expect(world.mail.rest.isEmpty)
  }

  /// Limits the size of a process's files, including those it has open.
  private func limitFiles(of process: pid_t, to bytes: String, in world: World) throws {
    let result = try world.home.run(
      program: "/usr/bin/prlimit", ["--pid", "\(process)", "--fsize=\(bytes):"], environment: [:])
    #expect(result.code == 0, "\(result)")
  }

  /// Flips a bit of the application ID in the database header, or flips it back.
  private func flipMark(of database: String) {
    let file = Glibc.open(database, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    var byte: UInt8 = 0
    #expect(pread(file, &byte, 1, 68) == 1)
    byte ^= 1
    #expect(pwrite(file, &byte, 1, 68) == 1)
  }
}
