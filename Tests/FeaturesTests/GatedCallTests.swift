import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Features

/// CHK-3: every call behind the gate asks the person for exactly what it needs.
@Suite struct GatedCallTests {
  /// A call of a gated endpoint.
  struct Call: Sendable, CustomTestStringConvertible {
    let name: String
    let operation: GatedOperation
    /// Makes the endpoint behave as the platform's does, with a gate.
    let prepare: @Sendable (inout DependencyValues, Log) -> Void
    let make: @Sendable (DependencyValues) async throws(ClientError) -> Void

    var testDescription: String { "\(name) to \(operation.displayText)" }

    init<each Argument: Sendable, Value>(
      _ endpoint: any WritableKeyPath<
        DependencyValues, Endpoint<repeat each Argument, Value, ClientError>
      > & Sendable,
      _ argument: repeat each Argument
    ) {
      let values = DependencyValues()
      let operation = values[keyPath: endpoint].gate(for: repeat each argument)!
      self.operation = operation
      name = values[keyPath: endpoint].name
      prepare = { values, log in
        values[keyPath: endpoint].wrappedValue = {
          (argument: repeat each Argument) async throws(ClientError) -> Value in
          var texts: [String] = []
          repeat texts.append(String(describing: each argument))
          log.note(texts.joined(separator: ", "))
          guard let typed = TypedSecrets.passphrase(for: operation) else { throw .gate(.required) }
          switch typed.value {
          // It is done; that a call has no result says nothing of the gate.
          case "blue kettle": throw .alertNotActive
          case "late kettle": throw .gate(.locked(until: Sample.now))
          default: throw .gate(.wrong)
          }
        }
      }
      make = { values throws(ClientError) in
        _ = try await values[keyPath: endpoint].wrappedValue(repeat each argument)
      }
    }
  }

  /// What a platform was asked for.
  final class Log: Sendable {
    private let calls = Mutex<[String]>([])
    var all: [String] { calls.withLock(\.self) }
    func note(_ call: String) { calls.withLock { $0.append(call) } }
  }

  static let calls: [Call] = [
    Call(\.authClient.$updatePassword, Secret("correct horse"), nil),
    Call(\.authClient.$updateGate, Gate(passphrase: Secret("red kettle"))),
    Call(\.authClient.$silentAlert), Call(\.authClient.$endSilentAlert),
    Call(\.authClient.$passGate, .stopMonitor), Call(\.authClient.$passGate, .restoreStore),
    Call(\.authClient.$passGate, .changeSecret),
    Call(\.authClient.$deleteAccount, Secret("correct horse")),
    Call(\.userClient.$updateProfile, Profile(name: "Ada")),
    Call(\.userClient.$updateEscalation, [.minutes(30)], .hours(1), .minutes(10)),
    Call(\.userClient.$allowLinkCheckIn, true), Call(\.userClient.$allowSigns, true),
    Call(\.checkInClient.$checkIn, .manual), Call(\.checkInClient.$deliver, .manual),
    Call(\.checkInClient.$pause, Sample.now),
    Call(\.checkInClient.$resume, .manual),
    Call(\.checkInClient.$updateInterval, CheckInInterval.presets[0]),
    Call(
      \.checkInClient.$updateSchedule, try! SetTimes(parsing: "daily 09:00", zone: "UTC")),
    Call(
      \.checkInClient.$startOuting, OutingDraft(end: "2d", zone: "UTC", holdsDeadline: true)),
    Call(\.checkInClient.$extendOuting, OutingExtension(Sample.outing, by: .minutes(30))),
    Call(\.checkInClient.$endOuting, Sample.outing.id),
    Call(\.contactsClient.$setWait, Sample.grace.id, .minutes(30)),
    Call(\.contactsClient.$update, Sample.grace, ContactDraft(Sample.grace)),
    Call(\.contactsClient.$delete, Sample.grace.id),
    Call(\.contactsClient.$setRoles, Sample.grace.id, .dependent),
    Call(\.channelsClient.$remove, Sample.id(1)),
    Call(\.channelsClient.$setMuted, .reminders, Sample.id(1), true),
    Call(\.channelsClient.$secret, Sample.id(1)),
    Call(\.channelsClient.$replaceSecret, Sample.id(1), Secret("tk_2")),
    Call(\.alertClient.$cancel), Call(\.pingClient.$answer, Sample.id(1)),
    Call(\.pingClient.$answerAll), Call(\.responseClient.$checkIn, "K7QM"),
    Call(\.standbyClient.$update, Standby(topic: "https://ntfy.sh/ada")),
    Call(
      \.transferClient.$importAccount,
      AccountExport(
        user: Sample.user, contacts: [], checkIns: [], alerts: [], notifications: [],
        documents: [])),
    Call(\.transferClient.$prepareMove), Call(\.transferClient.$reclaim, .commandLine),
    Call(\.mailSettingsClient.$save, MailFeatureTests.smtp, Secret("hunter2")),
  ]

  /// Makes a call for a person who types these passphrases, and then closes the question.
  private func make(
    _ call: Call, typing answers: String..., within typed: TypedSecrets? = nil
  ) async -> (asked: [SecretRequest.Kind], calls: [String], starts: Int, error: ClientError?) {
    let (person, log, starts) = (Typist(answers), Log(), Log())
    let error = await withDependencies {
      person.answers(in: &$0)
      $0.watchClient.start = { () async throws(StorageError) in starts.note("start") }
      call.prepare(&$0, log)
    } operation: { () async -> ClientError? in
      do throws(ClientError) {
        guard let typed else { try await call.make(.current); return nil }
        try await typed.during { () throws(ClientError) in try await call.make(.current) }
        return nil
      } catch { return error }
    }
    #expect(TypedSecrets.passphrase(for: call.operation) == nil)
    return (person.asked, log.all, starts.all.count, error)
  }

  @Test(
    "CHK-3: the passphrase is asked for once, and exactly the same call is made with it",
    arguments: calls)
  func right(call: Call) async {
    let (asked, calls, starts, error) = await make(call, typing: "blue kettle")
    #expect(asked == [.passphrase(call.operation)])
    #expect(calls.count == 2 && calls.first == calls.last)
    #expect(error == .alertNotActive)
    #expect(starts == 1)
  }

  @Test("CHK-3: a question that is closed leaves everything as it was", arguments: calls)
  func closed(call: Call) async {
    let (asked, calls, starts, error) = await make(call)
    #expect(asked == [.passphrase(call.operation)])
    #expect(calls.count == 1 && starts == 0)
    #expect(error == .gate(.required))
  }

  @Test("CHK-3: a wrong passphrase is asked for again; a locked gate isn't", arguments: calls)
  func wrong(call: Call) async {
    let again = await make(call, typing: "red kettle", "blue kettle")
    #expect(again.asked == Array(repeating: .passphrase(call.operation), count: 2))
    #expect(again.calls.count == 3 && Set(again.calls).count == 1)
    #expect(again.error == .alertNotActive && again.starts == 2)
    let closed = await make(call, typing: "red kettle")
    #expect(closed.error == .gate(.wrong) && closed.starts == 1)
    let locked = await make(call, typing: "late kettle")
    #expect(locked.asked.count == 1 && locked.starts == 1)
    #expect(locked.error == .gate(.locked(until: Sample.now)))
  }

  @Test("CHK-3: a passphrase opens the gate only for what it was typed for", arguments: calls)
  func misplaced(call: Call) async {
    let other: GatedOperation = call.operation == .checkIn ? .pause : .checkIn
    let (asked, calls, _, error) = await make(
      call, typing: "blue kettle",
      within: TypedSecrets(for: other, passphrase: Secret("blue kettle")))
    #expect(asked == [] && calls.count == 1)
    #expect(error == .gate(.required))
  }

  @Test("CHK-3: a task that outlives the call finds no passphrase")
  func outliving() async throws {
    let go = AsyncStream.makeStream(of: Void.self)
    let task = Mutex<Task<Bool, Never>?>(nil)
    _ = try await withDependencies {
      $0.checkInClient.checkIn = { (_: CheckIn.Source) async throws(ClientError) in
        #expect(TypedSecrets.passphrase(for: .checkIn) == Secret("blue kettle"))
        let later = Task {
          for await _ in go.stream { break }
          return TypedSecrets.passphrase(for: .checkIn) == nil
        }
        task.withLock { $0 = later }
        return Sample.user
      }
    } operation: {
      @Dependency(\.checkInClient) var checkInClient
      return try await checkInClient.$checkIn(.manual, typing: Secret("blue kettle"))
    }
    go.continuation.yield()
    #expect(await task.withLock(\.self)?.value == true)
  }

  @Test(
    "AUTH-5: a new address asks for the password first, again if it is wrong, and then for the passphrase"
  )
  func password() async throws {
    let person = Typist("wrong horse", "correct horse", "blue kettle")
    let saved = try await withDependencies {
      person.answers(in: &$0)
      $0.userClient.updateProfile = { (_: Profile) async throws(ClientError) in
        guard TypedSecrets.password(for: .changeAddress)?.value == "correct horse" else {
          throw .invalidCredentials
        }
        try person.requirePassphrase("blue kettle", for: .changeAddress)
        return Sample.user
      }
    } operation: {
      @Dependency(\.userClient) var userClient
      return try await userClient.updateProfile(Profile(name: "Ada"))
    }
    #expect(saved == Sample.user)
    #expect(person.asked == [.password, .password, .passphrase(.changeAddress)])
  }

  @Test("CHK-3: every gated endpoint is among the calls")
  func everyEndpoint() {
    let values = DependencyValues()
    let clients: [Any] = [
      values.authClient, values.userClient, values.checkInClient, values.contactsClient,
      values.channelsClient, values.alertClient, values.pingClient, values.standbyClient,
      values.transferClient, values.responseClient, values.mailSettingsClient,
    ]
    let gated = clients.flatMap { Mirror(reflecting: $0).children }
      .compactMap { $0.value as? any NamedEndpoint }.filter { !$0.gates.isEmpty }
    #expect(Set(Self.calls.map(\.name)) == Set(gated.map(\.name)))
    #expect(Set(Self.calls.map(\.operation)) == Set(GatedOperation.allCases))
  }
}
