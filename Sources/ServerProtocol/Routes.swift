import Clients
import Composable
import Domain

extension Route {
  /// Everything that an app can request from a server. This leaves out what belongs to a machine:
  /// the monitor, upkeep, the keychain, alerts kept beside a store, and what an app computes for
  /// itself.
  ///
  /// Paths of fixed words come before those with an argument in the same place.
  public static let all: [Route] =
    signingIn + account + checkIns + contacts + invitations + alerts + channels + notifications
    + files + documents

  private static let signingIn = [
    Route(.get, "/v1/auth", \.authClient.$state, access: .anyone),
    Route(observing: "/v1/observed/auth", \.authClient.$observeState, access: .anyone),
    Route(.post, "/v1/users", \.authClient.$createAccount, "*", access: .signsIn),
    Route(.post, "/v1/users/check", \.authClient.$checkSignUp, "*", access: .anyone),
    Route(.post, "/v1/sessions", \.authClient.$signIn, "*", access: .signsIn),
    Route(.get, "/v1/sessions", \.authClient.$sessions),
    Route(.post, "/v1/sessions/end", \.authClient.$signOut, access: .signsOut),
    Route(.delete, "/v1/sessions", \.authClient.$revokeOtherSessions),
    Route(.delete, "/v1/sessions/{id}", \.authClient.$revokeSession, "id"),
    Route(.put, "/v1/password", \.authClient.$updatePassword, "current", "new", "passphrase"),
    Route(.post, "/v1/password-resets", \.authClient.$sendPasswordReset, "email", access: .anyone),
    Route(
      .put, "/v1/password-resets", \.authClient.$resetPassword, "email", "code", "new",
      access: .anyone),
    Route(.post, "/v1/address-codes", \.authClient.$sendAddressCode),
    Route(.put, "/v1/address-codes", \.authClient.$confirmAddress, "code"),
    Route(.post, "/v1/not-me", \.authClient.$takeBack, "code", access: .anyone),
    Route(.put, "/v1/gate", \.authClient.$updateGate, "new", "current"),
    Route(.post, "/v1/gate/state", \.authClient.$silentAlert, "passphrase"),
    Route(.post, "/v1/gate/state/end", \.authClient.$endSilentAlert, "passphrase"),
    Route(
      .post, "/v1/me/delete", \.authClient.$deleteAccount, "password", "passphrase",
      access: .signsOut),
  ]

  private static let account = [
    Route(.get, "/v1/me", \.userClient.$currentUser),
    Route(observing: "/v1/observed/me", \.userClient.$observeCurrentUser),
    Route(.patch, "/v1/me", \.userClient.$updateProfile, "profile", "password", "passphrase"),
    Route(
      .put, "/v1/me/escalation", \.userClient.$updateEscalation, "reminders", "grace",
      "repeatInterval", "passphrase"),
    Route(.put, "/v1/me/picture", \.userProfileClient.$update, "name", "change"),
    Route(.put, "/v1/me/code", \.contactsClient.$resetCode),
    Route(.put, "/v1/me/links", \.userClient.$allowLinkCheckIn, "isAllowed", "passphrase"),
    Route(.put, "/v1/me/signs", \.userClient.$allowSigns, "isAllowed", "passphrase"),
    Route(.get, "/v1/standby", \.standbyClient.$standby),
    Route(.put, "/v1/standby", \.standbyClient.$update, "standby", "passphrase"),
    Route(.get, "/v1/watch", \.watchClient.$status),
    Route(.get, "/v1/watch/readiness", \.watchClient.$readiness, access: .anyone),
    Route(observing: "/v1/observed/watch", \.watchClient.$observe),
    Route(.get, "/v1/export", \.transferClient.$exportAccount),
    Route(.post, "/v1/import", \.transferClient.$importAccount, "export", "passphrase"),
    Route(.post, "/v1/moves", \.transferClient.$receiveMove, "*"),
    Route(.post, "/v1/moves/arrival", \.transferClient.$arrive),
  ]

  private static let checkIns = [
    Route(.post, "/v1/check-ins", \.checkInClient.$checkIn, "source", "passphrase"),
    Route(.post, "/v1/check-ins/kept", \.checkInClient.$deliver, "source", "passphrase"),
    Route(.post, "/v1/check-ins/signs", \.checkInClient.$sign),
    Route(.get, "/v1/check-ins", \.checkInClient.$history, "limit"),
    Route(.get, "/v1/check-ins/since/{start}", \.checkInClient.$historySince, "start"),
    Route(observing: "/v1/observed/check-ins", \.checkInClient.$observeHistory, "limit"),
    Route(.put, "/v1/pause", \.checkInClient.$pause, "until", "passphrase"),
    Route(.post, "/v1/pause/end", \.checkInClient.$resume, "source", "passphrase"),
    Route(.post, "/v1/outings", \.checkInClient.$startOuting, "outing", "passphrase"),
    Route(.put, "/v1/outing", \.checkInClient.$extendOuting, "change", "passphrase"),
    Route(.post, "/v1/outing/end", \.checkInClient.$endOuting, "outing", "passphrase"),
    Route(.put, "/v1/interval", \.checkInClient.$updateInterval, "interval", "passphrase"),
    Route(.put, "/v1/schedule", \.checkInClient.$updateSchedule, "times", "passphrase"),
  ]

  private static let contacts = [
    Route(.get, "/v1/contacts", \.contactsClient.$contacts),
    Route(observing: "/v1/observed/contacts", \.contactsClient.$observe),
    Route(.post, "/v1/contacts", \.contactsClient.$add, "*"),
    Route(.post, "/v1/contacts/decline", \.contactsClient.$declineByCode, "code"),
    Route(.put, "/v1/contacts", \.contactsClient.$update, "read", "draft", "passphrase"),
    Route(.post, "/v1/contacts/{id}/delete", \.contactsClient.$delete, "id", "passphrase"),
    Route(.get, "/v1/codes/{code}", \.contactsClient.$lookUp, "code"),
    Route(.post, "/v1/relations", \.contactsClient.$request, "code", "roles"),
    Route(.post, "/v1/relations/{id}/accept", \.contactsClient.$accept, "id"),
    Route(.post, "/v1/relations/{id}/decline", \.contactsClient.$decline, "id"),
    Route(
      .put, "/v1/relations/{id}/roles", \.contactsClient.$setRoles, "id", "roles", "passphrase"),
    Route(
      .put, "/v1/responders/{id}/wait", \.contactsClient.$setWait, "id", "wait", "passphrase"),
    Route(
      .put, "/v1/contacts/{id}/check-in-news", \.contactsClient.$setCheckInNews, "id", "isWanted"),
    Route(.post, "/v1/pings", \.pingClient.$send, "contact"),
    Route(.post, "/v1/pings/answers", \.pingClient.$answerAll, "passphrase"),
    Route(.post, "/v1/pings/{id}/answer", \.pingClient.$answer, "id", "passphrase"),
    Route(.delete, "/v1/pings/{id}", \.pingClient.$withdraw, "id"),
  ]

  private static let invitations = [
    Route(.get, "/v1/invitations", \.invitationClient.$invitations),
    Route(observing: "/v1/observed/invitations", \.invitationClient.$observe),
    Route(.post, "/v1/invitations", \.invitationClient.$add, "digest", "roles"),
    Route(.delete, "/v1/invitations/{id}", \.invitationClient.$revoke, "id"),
    // The code is in the header.
    Route(.get, "/v1/invitations/shown", \.invitationClient.$offer, access: .anyone),
  ]

  private static let alerts = [
    Route(.post, "/v1/alerts", \.alertClient.$raise, "message"),
    Route(.get, "/v1/alerts", \.alertClient.$history, "limit"),
    Route(observing: "/v1/observed/alerts", \.alertClient.$observe, "limit"),
    Route(.post, "/v1/alerts/armed", \.alertClient.$arm, "id", "message", "delay"),
    Route(.delete, "/v1/alerts/armed/{id}", \.alertClient.$disarm, "id"),
    Route(observing: "/v1/observed/armed", \.alertClient.$observeArmed),
    Route(.post, "/v1/alerts/cancel", \.alertClient.$cancel, "passphrase"),
    Route(.post, "/v1/alerts/{id}/acknowledge", \.alertClient.$acknowledge, "id"),
    Route(.post, "/v1/alerts/{id}/withdraw", \.alertClient.$withdraw, "id"),
    Route(.post, "/v1/drill", \.alertClient.$drill),
    Route(.delete, "/v1/drill", \.alertClient.$endDrill),
    Route(.get, "/v1/responses/{code}", \.responseClient.$invitation, "code", access: .anyone),
    Route(.post, "/v1/responses/typed", \.responseClient.$respond, "code", access: .anyone),
    Route(.post, "/v1/responses", \.responseClient.$respondByLink, "code", access: .anyone),
    Route(
      .post, "/v1/responses/withdrawn", \.responseClient.$withdraw, "code", "isTyped",
      access: .anyone),
    Route(.get, "/v1/links/{code}", \.responseClient.$checkInLink, "code", access: .anyone),
    Route(.post, "/v1/links", \.responseClient.$checkIn, "code", "passphrase", access: .anyone),
  ]

  private static let channels = [
    Route(.get, "/v1/channels", \.channelsClient.$overview),
    Route(observing: "/v1/observed/channels", \.channelsClient.$observe),
    Route(.post, "/v1/channels", \.channelsClient.$add, "draft", "contact"),
    Route(.post, "/v1/channels/{id}/delete", \.channelsClient.$remove, "id", "passphrase"),
    Route(
      .put, "/v1/channels/{id}/muted", \.channelsClient.$setMuted, "topic", "id", "isMuted",
      "passphrase"),
    Route(.post, "/v1/channels/topics", \.channelsClient.$newTopic),
    Route(.post, "/v1/channels/{id}/secret", \.channelsClient.$secret, "id", "passphrase"),
    Route(
      .put, "/v1/channels/{id}/secret", \.channelsClient.$replaceSecret, "id", "secret",
      "passphrase"),
    Route(.post, "/v1/channels/{id}/test", \.channelsClient.$sendTest, "id"),
    Route(.get, "/v1/channels/{id}/log", \.channelsClient.$log, "id"),
    Route(observing: "/v1/observed/channels/{id}/log", \.channelsClient.$observeLog, "id"),
  ]

  private static let notifications = [
    Route(.get, "/v1/notifications", \.notificationClient.$notifications, "limit", "filter"),
    Route(
      observing: "/v1/observed/notifications", \.notificationClient.$observe, "limit", "filter"),
    Route(.get, "/v1/notifications/unread", \.notificationClient.$unreadCount),
    Route(.post, "/v1/notifications", \.notificationClient.$addLocal, "kind", "subject", "detail"),
    Route(.post, "/v1/notifications/read", \.notificationClient.$markAllAsRead),
    Route(.post, "/v1/notifications/{id}/read", \.notificationClient.$markAsRead, "id"),
    Route(.delete, "/v1/notifications", \.notificationClient.$clearAll),
    Route(.delete, "/v1/notifications/{id}", \.notificationClient.$delete, "id"),
  ]

  private static let files = [
    Route(.get, "/v1/files", \.documentsClient.$documents),
    Route(observing: "/v1/observed/files", \.documentsClient.$observe),
    Route(uploading: "/v1/files", \.fileStorageClient.$upload, "data", "metadata"),
    Route(.get, "/v1/contacts/{id}/files", \.documentsClient.$documentsOf, "id"),
    Route(observing: "/v1/observed/contacts/{id}/files", \.documentsClient.$observeOf, "id"),
    Route(.get, "/v1/files/{id}", \.fileStorageClient.$url, "id"),
    Route(.get, "/v1/files/{file}/part", \.fileStorageClient.$read, "file", "offset", "count"),
    Route(.put, "/v1/files/{id}/name", \.documentsClient.$rename, "id", "name"),
    Route(.put, "/v1/files/{id}/access", \.documentsClient.$setAccess, "id", "access"),
    Route(.delete, "/v1/files/{id}", \.fileStorageClient.$delete, "id"),
  ]

  private static let documents = [
    Route(.post, "/v1/documents/batch", \.storageClient.$batch, "*"),
    Route(.get, "/v1/documents/query/{collection}", \.storageClient.$query, "collection", "query"),
    Route(
      observing: "/v1/observed/documents/query/{collection}", \.storageClient.$observeCollection,
      "collection", "query"),
    Route(.post, "/v1/documents/increment", \.storageClient.$increment, "path", "field", "amount"),
    Route(.get, "/v1/documents/{path*}", \.storageClient.$document, "path"),
    Route(observing: "/v1/observed/documents/{path*}", \.storageClient.$observeDocument, "path"),
    Route(.put, "/v1/documents/{path*}", \.storageClient.$setDocument, "path", "json", "version"),
    Route(.patch, "/v1/documents/{path*}", \.storageClient.$updateDocument, "path", "json"),
    Route(.delete, "/v1/documents/{path*}", \.storageClient.$deleteDocument, "path"),
    Route(.post, "/v1/documents/{collection}", \.storageClient.$addDocument, "collection", "json"),
  ]

  /// The paths whose answers a device keeps, to show them while the server is away: those of its
  /// first screens. Never who watches (WCH-1), an armed alert, sessions, codes, or documents.
  private static let keptPaths: Set<String> = [
    "/v1/observed/auth", "/v1/me", "/v1/observed/me", "/v1/check-ins",
    "/v1/check-ins/since/{start}",
    "/v1/observed/check-ins", "/v1/contacts", "/v1/observed/contacts", "/v1/alerts",
    "/v1/observed/alerts", "/v1/observed/channels", "/v1/observed/notifications",
    "/v1/observed/documents/{path*}",
  ]

  /// Whether a device keeps its last answer.
  public var isKept: Bool { method == .get && Self.keptPaths.contains(path.description) }

  /// Returns the name under which a device keeps the answer to a request.
  func page(of request: ServerRequest) -> String? {
    guard isKept else { return nil }
    // The start moves with the time, so the last answer stands in for the next.
    if path.description == Self.historyPage { return Self.historyPage }
    // Observing and reading share a page: a command shows what the app has read, and the other way
    // round.
    return isObserved ? request.target.replacing("/v1/observed/", with: "/v1/") : request.target
  }

  package static let userPage = "/v1/me"
  package static let contactsPage = "/v1/contacts"
  package static let historyPage = "/v1/check-ins/since/{start}"

  /// The beginning of the pages of notifications.
  package static let notificationsPages = "/v1/notifications"

  /// Returns the page of a number of notifications of every kind.
  package static func notificationsPage(_ limit: Int) -> String? {
    let route = all.first { $0.name == "NotificationClient.observe" }
    return try? route?.request(values: [limit, NotificationFilter.all]).page
  }

  /// Returns the route of a request, with the arguments in its path; `nil` if there is none.
  /// - Parameter path: The decoded segments of the path.
  package static func find(_ method: Method, _ path: [String]) -> (
    route: Route, arguments: [String: String]
  )? {
    for route in all where route.method == method {
      if let arguments = route.path.match(path) { return (route, arguments) }
    }
    return nil
  }

  /// Returns the methods that a path has.
  package static func methods(of path: [String]) -> [Method] {
    Method.allCases.filter { find($0, path) != nil }
  }
}
