import Clients
import struct Composable.DependencyValues
import Cryptography
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import SQLite
@testable import Store

@Suite("Observation of changes", .timeLimit(.minutes(1)))
struct ObservationTests {
  @Test(
    "A check-in is read by the observers of the person's contacts, and by no others",
    arguments: [false, true])
  func circle(isInFiles: Bool) async throws {
    let place = try Place()
    let memory = EmbeddedPlatform.inMemory(now: { place.now })
    func openAccount(_ name: String) async throws -> Person {
      let email = "\(name.lowercased())@example.org"
      let platform =
        isInFiles
        ? try EmbeddedPlatform(
          folders: place.folders, now: { place.now }, account: email, hashing: .minimal)
        : memory.with(account: email)
      let person = Person(platform)
      _ = try await person.auth.createAccount(
        NewAccount(
          profile: Profile(name: name),
          credentials: Credentials(email: email, password: Secret("four random words"))))
      return person
    }
    let (ida, bo, cem) = (
      try await openAccount("Ida"), try await openAccount("Bo"), try await openAccount("Cem")
    )
    let request = try await ida.contacts.request(bo.user.currentUser().code, .responder)
    _ = try await bo.contacts.accept(request.id)

    let (bosReads, cemsReads) = (Counter(), Counter())
    var seenByBo = bo.observeContacts(bosReads).makeAsyncIterator()
    var seenByCem = cem.observeContacts(cemsReads).makeAsyncIterator()
    _ = try await seenByBo.next()
    #expect(try await seenByCem.next() == [])

    place.advance(.hours(2))
    let user = try await ida.checkIn.checkIn(.manual)
    let status = try await seenByBo.next()?.first?.link?.dependentStatus
    #expect(status?.lastCheckIn == user.lastCheckIn)
    #expect(bosReads.value == 2)

    // Once Cem's observer shows Cem's own change, its earlier reads are finished.
    _ = try await cem.contacts.add(ContactDraft(name: "Dee", roles: .dependent))
    #expect(try await seenByCem.next()?.map(\.name) == ["Dee"])
    #expect(cemsReads.value == 2)
  }

  @Test("An observer that missed changes which are no longer kept reads everything again")
  func pruned() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let last = try await store.platform.store.lastChange()
    #expect(try await !store.platform.store.hasChanged(since: last))
    let later = try #require(Int(last)) + 20_000
    try await store.sql("INSERT INTO change (number, account) VALUES (\(later), 77)")
    _ = try await store.monitor.heartbeat(UUID(), place.now, .seconds(30), nil)
    #expect(try await store.value(Int.self, "SELECT count(*) FROM change") == 1)
    #expect(try await store.platform.store.hasChanged(since: last))
    #expect(try await !store.platform.store.hasChanged(since: "\(later)"))
  }

  @Test("A check-in, a new channel and a new name write to no other account's row")
  func ownRow() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.platform.openFurtherAccount(
      NewAccount(profile: Profile(name: "Jo", email: "jo@example.org")))
    try await store.sql(
      """
      INSERT INTO relation (id, requester, addressee, roles, state, created_at, answered_at)
        VALUES ('00000000-0000-0000-0000-000000000001', 1, 2, 3, 'active', 0, 0);
      CREATE TRIGGER guard BEFORE UPDATE ON account WHEN old.key <> 1
        BEGIN SELECT raise(ABORT, 'somebody else''s row'); END
      """)
    _ = try await store.checkIn.checkIn(.manual)
    _ = try await store.channels.add(ChannelDraft(.ntfy, "https://ntfy.example/ida"), nil)
    _ = try await store.user.updateProfile(Profile(name: "Idun"))
    // A change of Ida's channels affects those she responds for, so they become due as well.
    let due = try await store.monitor.due(place.now, 9)
    #expect(due.first?.user.profile.name == "Jo")
    #expect(due.first?.responders.map(\.name) == ["Idun"])
  }
}

/// A process of one person.
private struct Person {
  private let platform: EmbeddedPlatform
  private let values: DependencyValues

  init(_ platform: EmbeddedPlatform) {
    self.platform = platform
    var values = DependencyValues()
    platform.install(in: &values)
    self.values = values
  }

  var auth: AuthClient { values.authClient }
  var user: UserClient { values.userClient }
  var checkIn: CheckInClient { values.checkInClient }
  var contacts: ContactsClient { values.contactsClient }

  func observeContacts(_ reads: Counter) -> AsyncThrowingStream<[Contact], any Error> {
    platform.store.observeAccount { store throws(ClientError) in
      reads.count()
      return try store.contacts()
    }
  }
}

private final class Counter: Sendable {
  private let number = Atomic(0)
  func count() { number.add(1, ordering: .relaxed) }
  var value: Int { number.load(ordering: .relaxed) }
}

extension Store {
  fileprivate func lastChange() throws -> String { try lane.lastChange() }

  fileprivate func hasChanged(since number: String) throws -> Bool {
    try lane.hasChanged(requireCurrentKey(), since: number)
  }
}
