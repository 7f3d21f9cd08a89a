public import Composable
import Domain
import FoundationEssentials

extension DependencyValues {
  /// Has every failure of the clients that are provided noted in the error log, wherever it is shown
  /// or whether it is shown at all. Called once, by the composition root.
  public mutating func logClientFailures() {
    let log = FailureLog(logger: errorLogger, now: dateClient.now)
    log.watch(&authClient)
    log.watch(&userClient)
    log.watch(&checkInClient)
    log.watch(&contactsClient)
    log.watch(&channelsClient)
    log.watch(&alertClient)
    log.watch(&responseClient)
    log.watch(&pingClient)
    log.watch(&transferClient)
    log.watch(&notificationClient)
    log.watch(&watchClient)
    log.watch(&standbyClient)
    log.watch(&storageClient)
    log.watch(&keychainClient)
    log.watch(&logOutboxClient)
    log.watch(&documentsClient)
    log.watch(&fileStorageClient)
    log.watch(&userProfileClient)
    log.watch(&fileClient)
    log.watch(&pictureClient)
    log.watch(&qrCodeClient)
  }
}

/// Puts itself between a client and whoever calls it.
private struct FailureLog: Sendable {
  let logger: ErrorLogger
  let now: @Sendable () -> Date

  /// The operation, which fails as before and is noted then.
  func noting<each Argument: Sendable, Value: Sendable, Failure: AppError>(
    _ name: String,
    _ operation: @escaping @Sendable (repeat each Argument) async throws(Failure) -> Value
  ) -> @Sendable (repeat each Argument) async throws(Failure) -> Value {
    {
      (argument: repeat each Argument) async throws(Failure) -> Value in
      do throws(Failure) {
        return try await operation(repeat each argument)
      } catch {
        // A closure has no place of its call; the effect or the command that asks has one.
        let place = EffectLocation.current
        let context = LogEntry.Context(
          function: name, file: place?.fileID ?? "unknown", line: place?.line ?? 0)
        await logger.write(LogEntry(error, at: now(), context: context))
        throw error
      }
    }
  }

  func watch(_ client: inout AuthClient) {
    client.state = noting("AuthClient.state", client.state)
    client.createAccount = noting("AuthClient.createAccount", client.createAccount)
    client.checkSignUp = noting("AuthClient.checkSignUp", client.checkSignUp)
    client.signIn = noting("AuthClient.signIn", client.signIn)
    client.signOut = noting("AuthClient.signOut", client.signOut)
    client.updatePassword = noting("AuthClient.updatePassword", client.updatePassword)
    client.sendPasswordReset = noting("AuthClient.sendPasswordReset", client.sendPasswordReset)
    client.resetPassword = noting("AuthClient.resetPassword", client.resetPassword)
    client.sendAddressCode = noting("AuthClient.sendAddressCode", client.sendAddressCode)
    client.confirmAddress = noting("AuthClient.confirmAddress", client.confirmAddress)
    client.takeBack = noting("AuthClient.takeBack", client.takeBack)
    client.sessions = noting("AuthClient.sessions", client.sessions)
    client.revokeSession = noting("AuthClient.revokeSession", client.revokeSession)
    client.revokeOtherSessions = noting(
      "AuthClient.revokeOtherSessions", client.revokeOtherSessions)
    client.updateGate = noting("AuthClient.updateGate", client.updateGate)
    client.silentAlert = noting("AuthClient.silentAlert", client.silentAlert)
    client.endSilentAlert = noting("AuthClient.endSilentAlert", client.endSilentAlert)
    client.passGate = noting("AuthClient.passGate", client.passGate)
    client.deleteAccount = noting("AuthClient.deleteAccount", client.deleteAccount)
  }

  func watch(_ client: inout UserClient) {
    client.currentUser = noting("UserClient.currentUser", client.currentUser)
    client.updateProfile = noting("UserClient.updateProfile", client.updateProfile)
    client.updateEscalation = noting("UserClient.updateEscalation", client.updateEscalation)
  }

  func watch(_ client: inout CheckInClient) {
    client.checkIn = noting("CheckInClient.checkIn", client.checkIn)
    client.pause = noting("CheckInClient.pause", client.pause)
    client.resume = noting("CheckInClient.resume", client.resume)
    client.history = noting("CheckInClient.history", client.history)
    client.historySince = noting("CheckInClient.historySince", client.historySince)
    client.updateInterval = noting("CheckInClient.updateInterval", client.updateInterval)
  }

  func watch(_ client: inout ContactsClient) {
    client.contacts = noting("ContactsClient.contacts", client.contacts)
    client.overview = noting("ContactsClient.overview", client.overview)
    client.add = noting("ContactsClient.add", client.add)
    client.update = noting("ContactsClient.update", client.update)
    client.delete = noting("ContactsClient.delete", client.delete)
    client.lookUp = noting("ContactsClient.lookUp", client.lookUp)
    client.request = noting("ContactsClient.request", client.request)
    client.accept = noting("ContactsClient.accept", client.accept)
    client.decline = noting("ContactsClient.decline", client.decline)
    client.declineByCode = noting("ContactsClient.declineByCode", client.declineByCode)
    client.setRoles = noting("ContactsClient.setRoles", client.setRoles)
    client.resetCode = noting("ContactsClient.resetCode", client.resetCode)
  }

  func watch(_ client: inout ChannelsClient) {
    client.overview = noting("ChannelsClient.overview", client.overview)
    client.add = noting("ChannelsClient.add", client.add)
    client.remove = noting("ChannelsClient.remove", client.remove)
    client.setMuted = noting("ChannelsClient.setMuted", client.setMuted)
    client.secret = noting("ChannelsClient.secret", client.secret)
    client.sendTest = noting("ChannelsClient.sendTest", client.sendTest)
    client.log = noting("ChannelsClient.log", client.log)
  }

  func watch(_ client: inout AlertClient) {
    client.raise = noting("AlertClient.raise", client.raise)
    client.arm = noting("AlertClient.arm", client.arm)
    client.disarm = noting("AlertClient.disarm", client.disarm)
    client.spool = noting("AlertClient.spool", client.spool)
    client.cancel = noting("AlertClient.cancel", client.cancel)
    client.acknowledge = noting("AlertClient.acknowledge", client.acknowledge)
    client.drill = noting("AlertClient.drill", client.drill)
    client.endDrill = noting("AlertClient.endDrill", client.endDrill)
    client.history = noting("AlertClient.history", client.history)
  }

  func watch(_ client: inout ResponseClient) {
    client.respond = noting("ResponseClient.respond", client.respond)
    client.press = noting("ResponseClient.press", client.press)
    client.look = noting("ResponseClient.look", client.look)
  }

  func watch(_ client: inout PingClient) {
    client.send = noting("PingClient.send", client.send)
    client.withdraw = noting("PingClient.withdraw", client.withdraw)
    client.answer = noting("PingClient.answer", client.answer)
    client.answerAll = noting("PingClient.answerAll", client.answerAll)
  }

  func watch(_ client: inout TransferClient) {
    client.exportAccount = noting("TransferClient.exportAccount", client.exportAccount)
    client.importAccount = noting("TransferClient.importAccount", client.importAccount)
  }

  func watch(_ client: inout NotificationClient) {
    client.notifications = noting("NotificationClient.notifications", client.notifications)
    client.addLocal = noting("NotificationClient.addLocal", client.addLocal)
    client.markAsRead = noting("NotificationClient.markAsRead", client.markAsRead)
    client.markAllAsRead = noting("NotificationClient.markAllAsRead", client.markAllAsRead)
    client.delete = noting("NotificationClient.delete", client.delete)
    client.clearAll = noting("NotificationClient.clearAll", client.clearAll)
    client.unreadCount = noting("NotificationClient.unreadCount", client.unreadCount)
  }

  func watch(_ client: inout StandbyClient) {
    client.standby = noting("StandbyClient.standby", client.standby)
    client.update = noting("StandbyClient.update", client.update)
    client.duties = noting("StandbyClient.duties", client.duties)
    client.record = noting("StandbyClient.record", client.record)
  }

  func watch(_ client: inout WatchClient) {
    client.status = noting("WatchClient.status", client.status)
    client.start = noting("WatchClient.start", client.start)
    client.startAnother = noting("WatchClient.startAnother", client.startAnother)
  }

  func watch(_ client: inout StorageClient) {
    client.document = noting("StorageClient.document", client.document)
    client.setDocument = noting("StorageClient.setDocument", client.setDocument)
    client.updateDocument = noting("StorageClient.updateDocument", client.updateDocument)
    client.deleteDocument = noting("StorageClient.deleteDocument", client.deleteDocument)
    client.addDocument = noting("StorageClient.addDocument", client.addDocument)
    client.query = noting("StorageClient.query", client.query)
    client.batch = noting("StorageClient.batch", client.batch)
    client.increment = noting("StorageClient.increment", client.increment)
  }

  func watch(_ client: inout DocumentsClient) {
    client.documents = noting("DocumentsClient.documents", client.documents)
    client.documentsOf = noting("DocumentsClient.documentsOf", client.documentsOf)
    client.rename = noting("DocumentsClient.rename", client.rename)
    client.setAccess = noting("DocumentsClient.setAccess", client.setAccess)
  }

  func watch(_ client: inout FileStorageClient) {
    client.url = noting("FileStorageClient.url", client.url)
    client.read = noting("FileStorageClient.read", client.read)
    client.delete = noting("FileStorageClient.delete", client.delete)
  }

  func watch(_ client: inout UserProfileClient) {
    client.update = noting("UserProfileClient.update", client.update)
  }

  func watch(_ client: inout FileClient) {
    client.documentsDirectory = noting("FileClient.documentsDirectory", client.documentsDirectory)
    client.contents = noting("FileClient.contents", client.contents)
    client.delete = noting("FileClient.delete", client.delete)
    client.move = noting("FileClient.move", client.move)
  }

  func watch(_ client: inout PictureClient) {
    client.decode = noting("PictureClient.decode", client.decode)
  }

  func watch(_ client: inout QRCodeClient) {
    client.text = noting("QRCodeClient.text", client.text)
  }

  func watch(_ client: inout LogOutboxClient) {
    client.remove = noting("LogOutboxClient.remove", client.remove)
  }

  func watch(_ client: inout KeychainClient) {
    client.get = noting("KeychainClient.get", client.get)
    client.set = noting("KeychainClient.set", client.set)
    client.delete = noting("KeychainClient.delete", client.delete)
    client.source = noting("KeychainClient.source", client.source)
    client.keepInKeyring = noting("KeychainClient.keepInKeyring", client.keepInKeyring)
  }
}
