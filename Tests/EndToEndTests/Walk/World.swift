import DeliveryTesting
import Foundation
import Terminal
import TerminalTesting
import Testing

/// One store with a mail server and a clock that the script moves, and two people, who use the
/// store's machine or their own.
final class World {
  /// The home on the machine with the store and the monitors.
  let home: Home
  let time: Time
  let mail: Mail
  /// The server that both machines have joined, or `nil` if both people use one machine.
  private(set) var server: WalkServer?
  private(set) var people: [Person] = []

  /// - Parameter hasServer: Whether each person has their own machine.
  init(hasServer: Bool = false) throws {
    home = try Home()
    time = try Time(file: home.path + "/clock")
    mail = try Mail()
    mail.world = self
    if hasServer {
      server = try WalkServer(
        home: home, variables: variables, port: mail.freePort(), configuration: mail.configuration)
    } else {
      try home.write(configuration: mail.configuration)
    }
  }

  /// Adds a person who opens the app with the given arguments.
  func person(_ name: String, opening arguments: String...) throws -> Person {
    let person = Person(
      name, arguments, home: try server == nil ? home : Home(), in: self)
    people.append(person)
    return person
  }

  /// The environment variables that set the programs' clock.
  var variables: [String: String] { ["CLOCK_FILE": time.file] }

  /// Reads all screens until a condition holds.
  /// - Parameter what: A sentence about the condition, for the error if it never holds.
  func wait(
    for what: @autoclosure () -> String, at place: SourceLocation, until isSo: () -> Bool
  ) throws {
    // Use real time, since this is only a timeout.
    let start = ContinuousClock.now
    var next = start + .seconds(1)
    while !isSo() {
      guard ContinuousClock.now < start + .seconds(20) else {
        throw WalkFailure(what(), in: self, at: place)
      }
      for person in people { person.looks() }
      // A program that computed its sleep just before the clock moved sleeps too long, so move the
      // clock on if nothing happens.
      if ContinuousClock.now >= next {
        next += .milliseconds(100)
        try time.passes(seconds: 1)
      }
    }
  }

  /// Kills every monitor at once.
  func killMonitors() {
    for process in home.monitors { kill(process, SIGKILL) }
  }
}

/// The error of a walk that isn't where it should be.
struct WalkFailure: Error, CustomStringConvertible {
  let description: String
  let place: SourceLocation

  init(_ what: String, in world: World, at place: SourceLocation) {
    let screens = world.people.map { "\($0.name):\n\($0.screen)" }.joined(separator: "\n")
    description = """
      \(what), in vain.
      \(screens)
      Mail that nobody asked for: \(world.mail.rest)
      \(world.home.monitors.count) monitors run. Their log:
      \(world.server?.log ?? world.home.monitorLog)
      """
    self.place = place
  }
}

/// The clock of a ``World``: a file that its programs read.
final class Time {
  let file: String
  /// Friday, 15 January 2027, 08:00 UTC.
  private var milliseconds: Int64 = 1_800_000_000_000

  init(file: String) throws {
    self.file = file
    try write()
  }

  func passes(days: Int = 0, hours: Int = 0, minutes: Int = 0, seconds: Int = 0) throws {
    milliseconds += Int64(((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000
    try write()
  }

  /// Writes the time in place, in a single eight-byte write, because the programs keep the file
  /// open.
  private func write() throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard pwrite(descriptor, &milliseconds, 8, 0) == 8 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }
}
