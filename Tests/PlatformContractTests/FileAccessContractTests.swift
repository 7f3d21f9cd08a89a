import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// Who can read which document and when (DOC-1).
@Suite("Access to documents", .timeLimit(.minutes(1)))
struct FileAccessContractTests {
  /// Ida with a document of each kind, and Bo, who isn't her contact yet.
  private struct Cast {
    var ida: World
    var bo: World
    var always: EmergencyDocument
    var duringAlert: EmergencyDocument

    init(_ platform: Platform) async throws {
      ida = try World(platform)
      try await ida.openAccount()
      bo = try await ida.openPeer()
      always = try await ida.add("address.txt", Data("here".utf8), .always)
      duringAlert = try await ida.add("card.pdf", Data("blood".utf8), .duringAlert)
    }

    /// Expects the errors that Bo gets for both documents, or `nil` for one that he can read.
    func expect(
      always first: ClientError?, duringAlert second: ClientError?,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      for (document, expected) in [(always, first), (duringAlert, second)] {
        let url = StoredFileURL(document.id)
        var outcomes: [ClientError?] = []
        do throws(ClientError) {
          _ = try await bo.files.url(document.id)
          outcomes.append(nil)
        } catch {
          outcomes.append(error)
        }
        do throws(ClientError) {
          let text = String(decoding: try await bo.files.read(url, 0, 100), as: UTF8.self)
          #expect(text == (document == always ? "here" : "blood"), sourceLocation: sourceLocation)
          outcomes.append(nil)
        } catch {
          outcomes.append(error)
        }
        #expect(outcomes == [expected, expected], sourceLocation: sourceLocation)
      }
    }

    /// Expects the list of documents that Bo sees.
    func expectList(
      _ contact: Contact.ID, _ expected: [EmergencyDocument]?,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      let list = try? await bo.documents.documentsOf(contact)
      #expect(list == expected, sourceLocation: sourceLocation)
    }
  }

  @Test("DOC-1: a responder can always open documents set to always, others only during an alert")
  func responder() async throws {
    for platform in Platform.allCases {
      let cast = try await Cast(platform)
      let relation = try await cast.ida.befriend(cast.bo, .responder).own.id
      await cast.expect(always: nil, duringAlert: .fileClosed)
      // Names and sizes are visible before an alert.
      await cast.expectList(relation, [cast.always, cast.duringAlert])
      _ = try await cast.ida.alerts.raise("")
      await cast.expect(always: nil, duringAlert: nil)
      _ = try await cast.ida.alerts.cancel()
      await cast.expect(always: nil, duringAlert: .fileClosed)
    }
  }

  @Test(
    "DOC-1: a responder can open documents, whichever side asked for the relation",
    arguments: Platform.allCases)
  func otherDirection(_ platform: Platform) async throws {
    let cast = try await Cast(platform)
    try await cast.bo.befriend(cast.ida, .dependent)
    await cast.expect(always: nil, duringAlert: .fileClosed)
    _ = try await cast.ida.alerts.raise("")
    await cast.expect(always: nil, duringAlert: nil)
  }

  @Test(
    "DOC-1: a missed deadline opens the documents for alerts until the next check-in",
    arguments: Platform.allCases)
  func missed(_ platform: Platform) async throws {
    let cast = try await Cast(platform)
    try await cast.ida.befriend(cast.bo, .responder)
    cast.ida.advance(.hours(25))
    let account = try await cast.ida.dueAccount(named: "Ida")
    let plan = Plan(
      missedAlert: Alert(id: UUID(), kind: .missed, raisedAt: cast.ida.now, sequence: 0))
    #expect(
      try await cast.ida.monitor.apply(plan, account.user.id, account.revision, cast.ida.now))
    await cast.expect(always: nil, duringAlert: nil)
    _ = try await cast.ida.checkIn.checkIn(.manual)
    await cast.expect(always: nil, duringAlert: .fileClosed)
  }

  @Test("DOC-1, CHK-3: a silent alert opens documents to responders, unseen by the person")
  func duress() async throws {
    for platform in Platform.allCases {
      let cast = try await Cast(platform)
      try await cast.ida.befriend(cast.bo, .responder)
      try await cast.ida.auth.updateGate(
        Gate(passphrase: Secret("tulip"), duress: Secret("rose garden")))
      _ = try await cast.ida.checkIn.$checkIn(.manual, typing: Secret("rose garden"))
      await cast.expect(always: nil, duringAlert: nil)
      #expect(try await cast.ida.alerts.history(10) == [])
      #expect(
        try await cast.ida.documents.documents() == [cast.always, cast.duringAlert])
      try await cast.ida.auth.$endSilentAlert(typing: Secret("tulip"))
      await cast.expect(always: nil, duringAlert: .fileClosed)
    }
  }

  @Test("DOC-1, CHK-3: an alert cancelled under duress keeps documents open")
  func concealed() async throws {
    for platform in Platform.allCases {
      let cast = try await Cast(platform)
      try await cast.ida.befriend(cast.bo, .responder)
      try await cast.ida.auth.updateGate(
        Gate(passphrase: Secret("tulip"), duress: Secret("rose garden")))
      _ = try await cast.ida.alerts.raise("")
      _ = try await cast.ida.alerts.$cancel(typing: Secret("rose garden"))
      await cast.expect(always: nil, duringAlert: nil)
    }
  }

  @Test("DOC-1: a drill opens no documents", arguments: Platform.allCases)
  func drill(_ platform: Platform) async throws {
    let cast = try await Cast(platform)
    try await cast.ida.befriend(cast.bo, .responder)
    _ = try await cast.ida.alerts.drill()
    await cast.expect(always: nil, duringAlert: .fileClosed)
  }

  @Test(
    "DOC-1: a responder's own alert doesn't open the dependent's documents",
    arguments: Platform.allCases)
  func otherAlert(_ platform: Platform) async throws {
    let cast = try await Cast(platform)
    try await cast.ida.befriend(cast.bo, [.responder, .dependent])
    _ = try await cast.bo.alerts.raise("")
    await cast.expect(always: nil, duringAlert: .fileClosed)
  }

  @Test("DOC-1: people who aren't responders can't read documents or see that documents exist")
  func nobodyElse() async throws {
    for platform in Platform.allCases {
      let cast = try await Cast(platform)
      _ = try await cast.ida.alerts.raise("")
      // A stranger.
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      await cast.expectList(UUID(), nil)
      // Someone who was asked but hasn't answered.
      let code = try await cast.bo.user.currentUser().code
      let request = try await cast.ida.contacts.request(code, .responder)
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      await cast.expectList(request.id, nil)
      // Someone who declined.
      try await cast.bo.contacts.decline(request.id)
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      await cast.expectList(request.id, nil)
      // Someone whose own request was declined.
      let own = try await cast.ida.user.currentUser().code
      let question = try await cast.bo.contacts.request(own, .dependent)
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      try await cast.ida.contacts.decline(question.id)
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      await cast.expectList(question.id, nil)
      // Ida's dependent, who isn't her responder.
      let relation = try await cast.ida.befriend(cast.bo, .dependent).own.id
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      await cast.expectList(relation, nil)
      // A process that isn't signed in.
      try await cast.bo.auth.signOut()
      await cast.expect(always: .notAuthenticated, duringAlert: .notAuthenticated)
    }
  }

  @Test("DOC-1: a responder who is removed or loses the role can no longer read documents")
  func removed() async throws {
    for platform in Platform.allCases {
      let cast = try await Cast(platform)
      let relation = try await cast.ida.befriend(cast.bo, [.responder, .dependent]).own.id
      _ = try await cast.ida.alerts.raise("")
      await cast.expect(always: nil, duringAlert: nil)
      _ = try await cast.ida.contacts.setRoles(relation, .dependent)
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      try await cast.ida.contacts.delete(relation)
      await cast.expect(always: .fileNotFound, duringAlert: .fileNotFound)
      await cast.expectList(relation, nil)
    }
  }

  @Test(
    "DOC-1: a responder can't delete or rename documents or change their access",
    arguments: Platform.allCases)
  func changes(_ platform: Platform) async throws {
    let cast = try await Cast(platform)
    try await cast.ida.befriend(cast.bo, .responder)
    let bo = cast.bo
    await Self.expectNotFound { () throws(ClientError) in
      try await bo.files.delete(cast.always.id)
    }
    await Self.expectNotFound { () throws(ClientError) in
      _ = try await bo.documents.rename(cast.always.id, "mine")
    }
    await Self.expectNotFound { () throws(ClientError) in
      _ = try await bo.documents.setAccess(cast.duringAlert.id, .always)
    }
    #expect(try await cast.ida.documents.documents() == [cast.always, cast.duringAlert])
  }

  private static func expectNotFound(
    _ operation: () async throws(ClientError) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await expect(.fileNotFound, sourceLocation: sourceLocation, operation)
  }

  @Test(
    "DOC-1: a download stops when the alert that allows the download ends",
    arguments: Platform.allCases)
  func cut(_ platform: Platform) async throws {
    let cast = try await Cast(platform)
    try await cast.ida.befriend(cast.bo, .responder)
    _ = try await cast.ida.alerts.raise("")
    let url = try await cast.bo.files.url(cast.duringAlert.id)
    #expect(try await cast.bo.files.read(url, 0, 2) == Data("bl".utf8))
    _ = try await cast.ida.alerts.cancel()
    await expect(ClientError.fileClosed) { () throws(ClientError) in
      try await cast.bo.files.read(url, 2, 2)
    }
  }
}
