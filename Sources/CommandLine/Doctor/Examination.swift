import Clients
import Composable
import Domain
import FoundationEssentials

/// Gathers the facts and runs the doctor's checks on them.
struct Examination: Sendable {
  private let invocation: Invocation
  private let sendsTest: Bool

  init(_ invocation: Invocation, sendsTest: Bool) {
    self.invocation = invocation
    self.sendsTest = sendsTest
  }

  private var machine: MachineAccess { invocation.machine }

  func findings() async -> [Finding] {
    let terminal = SurroundingsChecks.terminal(
      variables: invocation.variables, isTerminal: machine.hasTerminal())
    let folders: Folders
    let installer: ServiceInstaller
    do {
      folders = try invocation.folders()
      installer = try ServiceInstaller(invocation)
    } catch { return [.failure(.home, error.sentence, error.advice), terminal] }

    let configuration = Result { () throws(ConfigurationError) in
      try invocation.configuration(folders)
    }
    var findings = FileChecks.files(
      FileChecks.places(folders, entry: machine.entry),
      exposure: try? configuration.get().exposure)
    let store = StoreFacts(opening: invocation, folders)
    findings.append(
      FileChecks.store(
        opening: store.failure, examination: store.examination, now: invocation.now()))
    var (lastSeen, jump): (Date?, ClockWarning?)
    var password = PasswordSource.missing
    var kinds: Set<Channel.Kind>?
    var cannotBeWatched = false
    let sender = try? configuration.get().configuration.smtp?.from
    if let provide = store.provide {
      let facts = await withDependencies {
        provide(&$0)
      } operation: {
        await AccountExamination()
      }
      findings += facts.findings(invocation, sender: sender)
      (lastSeen, jump) = (facts.lastSeen, facts.clock)
      password = facts.password
      kinds = facts.kinds
      cannotBeWatched = facts.cannotBeWatched
    }
    if invocation.hasPassword { password = .variable }
    if store.failure == nil, store.examination != nil {
      let backups = (try? invocation.storeAccess.backups(folders)) ?? []
      findings.append(
        FileChecks.backup(backups, lastChange: lastSeen, now: invocation.now()))
    }
    findings.append(WatchChecks.configuration(configuration, password: password, kinds: kinds))
    if let errorLog = try? configuration.get().configuration.errorLog {
      findings.append(WatchChecks.errorLog(errorLog))
    }
    if sendsTest {
      let isNeedless =
        (try? configuration.get())?.configuration.canSendMail == false
        && kinds?.contains(.email) == false
      findings.append(
        isNeedless ? WatchChecks.needlessTest : WatchChecks.testDelivery(await sendTest()))
    }
    if !cannotBeWatched { findings.append(await service(installer)) }
    findings.append(await Self.clock(invocation, lastSeen: lastSeen, jump: jump))
    return findings + [terminal]
  }

  private func sendTest() async -> ProgramOutcome? {
    guard let program = try? machine.monitorProgram() else { return nil }
    return await machine.run([program, "--test-delivery"])
  }

  private func service(_ installer: ServiceInstaller) async -> Finding {
    let manager = await installer.manager()
    let isPresent = manager == .present
    return WatchChecks.service(
      manager, isInstalled: machine.entry(installer.unitPath) != .nothing,
      state: isPresent ? await installer.state() : SystemdState(),
      lingers: isPresent ? await installer.lingers() : nil,
      crontab: manager == .absent ? await machine.run(["crontab", "-l"])?.output : nil,
      crontabLine: machine.crontabLine)
  }

  static func clock(
    _ invocation: Invocation, lastSeen: Date?, jump: ClockWarning? = nil
  ) async -> Finding {
    SurroundingsChecks.clock(
      isSynchronized: await isClockSynchronized(invocation.machine), lastSeen: lastSeen,
      jump: jump, now: invocation.now())
  }

  private static func isClockSynchronized(_ machine: MachineAccess) async -> Bool? {
    let outcome = await machine.run(["timedatectl", "show", "--property=NTPSynchronized"])
    guard let outcome, outcome.isSuccess else { return nil }
    if outcome.output.contains("NTPSynchronized=yes") { return true }
    return outcome.output.contains("NTPSynchronized=no") ? false : nil
  }
}

/// The opened store, or why it could not be opened. Never creates a store.
private struct StoreFacts {
  var provide: StoreAccess.ClientProvider?
  var examination: StoreExamination?
  var failure: StorageError?

  init(opening invocation: Invocation, _ folders: Folders) {
    let isThere = [folders.database, folders.storeMarker].contains {
      invocation.machine.entry($0) != .nothing
    }
    guard isThere else { return }
    do throws(StorageError) {
      provide = CompositionRoot(invocation).withLocalFiles(
        try invocation.storeAccess.open(folders, invocation.account, false))
      examination = try invocation.storeAccess.examine(folders)
    } catch { failure = error }
  }
}

/// The facts about the user's account from the store.
struct AccountExamination: Sendable {
  private var user: Result<User, ClientError>
  private var contacts: [Contact]?
  private var alerts: [AlertReport]?
  private var channels: ChannelOverview?
  private let calendar: CivilCalendar
  private var watch: WatchStatus?
  /// The kinds of channel that the user and their responders use; `nil` if they can't be read.
  private(set) var kinds: Set<Channel.Kind>?
  private(set) var password: PasswordSource
  private let services: ServiceCatalog
  /// The time by the clock that judges the account's deadlines.
  let now: Date

  init() async {
    @Dependency(\.userClient) var userClient
    @Dependency(\.contactsClient) var contactsClient
    @Dependency(\.alertClient) var alertClient
    @Dependency(\.watchClient) var watchClient
    @Dependency(\.keychainClient) var keychainClient
    @Dependency(\.channelsClient) var channelsClient
    @Dependency(\.dateClient) var dateClient
    @Dependency(\.servicesClient) var servicesClient
    services = servicesClient.catalog()
    calendar = dateClient.calendar
    do throws(ClientError) { user = .success(try await userClient.currentUser()) } catch {
      user = .failure(error)
    }
    contacts = try? await contactsClient.contacts()
    alerts = try? await alertClient.history(20)
    channels = try? await channelsClient.overview()
    watch = try? await watchClient.status()
    kinds = await Situation.Watch.usedKinds()
    do throws(KeychainError) {
      password =
        try await keychainClient.source(KeychainClient.smtpPassword).map { .kept($0) } ?? .missing
    } catch { password = .unreadable(error) }
    // After the answers, which say a server's time.
    now = dateClient.now()
  }

  /// Whether no monitor on this machine can watch the account: it was moved, or the store is damaged.
  var cannotBeWatched: Bool { Situation.Watch(status: watch).fault != nil }

  /// A jump of the clock that the store has noticed.
  var clock: ClockWarning? { watch?.clock }

  /// The latest time recorded in the store.
  var lastSeen: Date? {
    [try? user.get().lastCheckIn, watch?.lastSeen].compactMap { $0 }.max()
  }

  /// The last message on each channel still in use.
  private var lastMessages: [DeliveryReport] {
    used.compactMap { channels?.last[$0.id] }
  }

  /// The channels that messages go to.
  private var used: [Channel] {
    (channels?.own ?? []) + (contacts ?? []).filter(\.isActive).flatMap(\.channels)
  }

  func findings(_ invocation: Invocation, sender: String?) -> [Finding] {
    var findings: [Finding] = []
    switch user {
    case .success(let user):
      findings.append(
        .ok(.account, "The account is \(user.profile.name)'s, \(user.promiseInWords)."))
      if let finding = WatchChecks.zoneData(of: user) { findings.append(finding) }
    case .failure(let error):
      let text = invocation.text(of: error)
      findings.append(.failure(.account, text.description, text.recovery ?? "See lifesignal."))
    }
    if let contacts { findings.append(WatchChecks.responders(contacts, own: channels?.own ?? [])) }
    if let alerts {
      findings.append(
        WatchChecks.deliveries(alerts, lastMessages, calendar: calendar, now: now))
    }
    findings.append(WatchChecks.watch(watch, kinds: kinds, now: now))
    findings += WatchChecks.services(services, used)
    if let user = try? user.get(),
      let finding = WatchChecks.mailbox(sender, of: user, contacts ?? [])
    {
      findings.append(finding)
    }
    return findings
  }
}
