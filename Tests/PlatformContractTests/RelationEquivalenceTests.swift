import Clients
import Composable
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// All platforms give the same results for random operations of three people on their relations.
@Suite("Equivalence of relations", .timeLimit(.minutes(1)))
struct RelationEquivalenceTests {
  @Test(
    "CON-1…7, PNG-1, PNG-2: the same random operations give the same results on all platforms",
    arguments: 1...repetitions(4, nightly: 40))
  func randomOperations(_ seed: Int) async throws {
    var numbers = SplitMix64(seed: UInt64(seed))
    var operations: [RelationOperation] = []
    for _ in 0..<80 { operations.append(.random(using: &numbers)) }
    var logs: [[String]] = []
    // Servers are slow, so test them with fewer seeds.
    let platforms = Platform.everywhere.filter { !$0.isShared || seed.isMultiple(of: 4) }
    for platform in platforms {
      let cast = try await Cast(platform)
      var log: [String] = []
      for (index, operation) in operations.enumerated() {
        let shows = index.isMultiple(of: 4) || index == operations.count - 1
        log.append("\(operation): \(try await cast.perform(operation, showsState: shows))")
      }
      logs.append(log)
    }
    for log in logs.dropFirst() {
      for (memory, other) in zip(logs[0], log) { try #require(memory == other) }
    }
  }
}

/// An operation of one of three people on the contact at an index of their list.
private enum RelationOperation {
  case request(Int, Int, Int), accept(Int, Int), decline(Int, Int), delete(Int, Int)
  case setRoles(Int, Int, Int), ping(Int, Int), withdraw(Int, Int), answer(Int, Int)
  case answerAll(Int), raise(Int), cancel(Int), acknowledge(Int, Int), checkIn(Int)
  case advance(Int), heartbeat

  static func random(using numbers: inout SplitMix64) -> RelationOperation {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }
    let (who, whom) = (number(3), number(2))
    switch number(26) {
    case 0...3: return .request(who, number(3), number(4))
    case 4...8: return .accept(who, whom)
    case 9: return .decline(who, whom)
    case 10: return .delete(who, whom)
    case 11, 12: return .setRoles(who, whom, number(4))
    case 13...16: return .ping(who, whom)
    case 17: return .withdraw(who, whom)
    case 18: return .answer(who, whom)
    case 19: return .answerAll(who)
    case 20: return .raise(who)
    case 21: return .cancel(who)
    case 22, 23: return .acknowledge(who, whom)
    case 24: return number(2) == 0 ? .checkIn(who) : .heartbeat
    default: return .advance(number(3))
    }
  }
}

/// Three people in one store, and the data they see without identifiers, which differ between
/// platforms.
private struct Cast {
  private let people: [World]

  init(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    people = [ida, try await ida.openPeer("Bo"), try await ida.openPeer("Cem")]
  }

  func perform(_ operation: RelationOperation, showsState: Bool) async throws -> String {
    var result = "done"
    do { try await attempt(operation) } catch { result = "\(error)" }
    // A difference stays, so not every operation needs a look at everything.
    guard showsState else { return result }
    var seen: [String] = []
    for person in people { seen.append(try await view(of: person)) }
    return ([result] + seen).joined(separator: "\n")
  }

  private func attempt(_ operation: RelationOperation) async throws {
    switch operation {
    case .request(let who, let whom, let roles):
      let code = try await people[whom].user.currentUser().code
      _ = try await people[who].contacts.request(code, Roles(rawValue: roles))
    case .accept(let who, let place):
      if let id = try await contact(who, place)?.id {
        _ = try await people[who].contacts.accept(id)
      }
    case .decline(let who, let place):
      if let id = try await contact(who, place)?.id { try await people[who].contacts.decline(id) }
    case .delete(let who, let place):
      if let id = try await contact(who, place)?.id { try await people[who].contacts.delete(id) }
    case .setRoles(let who, let place, let roles):
      if let id = try await contact(who, place)?.id {
        _ = try await people[who].contacts.setRoles(id, Roles(rawValue: roles))
      }
    case .ping(let who, let place):
      if let id = try await contact(who, place)?.id { _ = try await people[who].pings.send(id) }
    case .withdraw(let who, let place):
      if let id = try await contact(who, place)?.link?.sentPing?.id {
        _ = try await people[who].pings.withdraw(id)
      }
    case .answer(let who, let place):
      if let id = try await contact(who, place)?.link?.receivedPing?.id {
        _ = try await people[who].pings.answer(id)
      }
    case .answerAll(let who): _ = try await people[who].pings.answerAll()
    case .raise(let who): _ = try await people[who].alerts.raise("help")
    case .cancel(let who): _ = try await people[who].alerts.cancel()
    case .acknowledge(let who, let place):
      if let alert = try await contact(who, place)?.link?.dependentStatus?.alert {
        _ = try await people[who].alerts.acknowledge(alert.id)
      }
    case .checkIn(let who): _ = try await people[who].checkIn.checkIn(.manual)
    case .advance(let choice):
      people[0].advance([.seconds(30), .hours(3), .hours(25)][choice])
    case .heartbeat:
      _ = try await people[0].monitor.heartbeat(UUID(), people[0].now, .minutes(1), nil)
    }
  }

  private func contact(_ who: Int, _ place: Int) async throws -> Contact? {
    let contacts = try await people[who].contacts.contacts()
    return contacts.indices.contains(place) ? contacts[place] : nil
  }

  private func view(of person: World) async throws -> String {
    let read = try await person.contacts.contacts()
    let overview = try await person.contacts.overview(naming: 2)
    #expect(overview == ContactOverview(read, naming: 2))
    let contacts = read.map { contact in
      let link = contact.link
      let alert = link?.dependentStatus?.alert
      return [
        contact.name, "\(contact.roles.rawValue)", contact.phone ?? "", contact.note,
        "\(contact.addedAt)", link?.state.rawValue ?? "",
        "\(link?.dependentStatus?.lastCheckIn as Date?)", alert?.message ?? "",
        alert.map { $0.acknowledgements.map { "\($0.name) \($0.date)" }.sorted().joined() } ?? "",
        describe(link?.sentPing), describe(link?.receivedPing),
      ].joined(separator: "|")
    }
    let alerts = try await person.alerts.history(5).map { report in
      "\(report.alert.isActive) \(report.alert.acknowledgements.map(\.name).sorted())"
    }
    let due = try await person.monitor.due(person.now, 9).map { account in
      "\(account.user.profile.name): \(account.responders.map { "\($0.name) \($0.email ?? "")" })"
    }.sorted()
    return (contacts + alerts + due).joined(separator: "\n")
  }

  private func describe(_ ping: Ping?) -> String {
    ping.map { "\($0.sentAt) \($0.state) \($0.endedAt as Date?)" } ?? ""
  }
}
