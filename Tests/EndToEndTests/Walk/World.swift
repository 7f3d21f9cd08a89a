import DeliveryTesting
import Foundation
import Terminal
import TerminalTesting
import Testing

/// One store with a mail server and a clock that only moves when the script says so, and the two people
/// who sit in front of it, or of machines of their own.
final class World {
  /// Of the machine where the store is and the monitors run.
  let home: Home
  let time: Time
  let mail: Mail
  /// What joins the people's machines; `nil` where both sit in front of one.
  private(set) var server: WalkServer?
  private(set) var people: [Person] = []

  /// - Parameter hasServer: Whether each person has a machine of their own.
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

  /// A person who opens the app with these words.
  func person(_ name: String, opening arguments: String...) throws -> Person {
    let person = Person(
      name, arguments, home: try server == nil ? home : Home(), in: self)
    people.append(person)
    return person
  }

  /// What the programs need to live in this world.
  var variables: [String: String] { ["CLOCK_FILE": time.file] }

  /// Lets everybody look at their screens until something is so.
  /// - Parameter what: What is awaited, as a sentence, for the case that it never comes.
  func wait(
    for what: @autoclosure () -> String, at place: SourceLocation, until isSo: () -> Bool
  ) throws {
    // Real time, since it only ends what would never end by itself.
    let start = ContinuousClock.now
    var next = start + .seconds(1)
    while !isSo() {
      guard ContinuousClock.now < start + .seconds(20) else {
        throw Astray(what(), in: self, at: place)
      }
      for person in people { person.looks() }
      // A program that had just made up its mind how long to sleep when the time jumped sleeps too
      // long: where nothing comes, time goes on.
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

/// The walk is not where it should be.
struct Astray: Error, CustomStringConvertible {
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

/// The time of a ``World``: a file that its programs read.
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

  /// In place, eight bytes at once: the programs keep the file open.
  private func write() throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard pwrite(descriptor, &milliseconds, 8, 0) == 8 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }
}
