import Clients
import FoundationEssentials
import Glibc
import Store
import Web

/// The folder of a server, with its store and its settings.
struct ServerFolder: Sendable {
  let path: String

  /// The reason why a server can't run, and what to do about it.
  struct Fault: Error, Equatable {
    var reason: String
    var recovery: String?
  }

  private var settingsPath: String { path + "/server.json" }

  var isSetUp: Bool { access(settingsPath, F_OK) == 0 }

  func settings() throws(Fault) -> ServerSettings {
    guard isSetUp else {
      throw Fault(
        reason: "There is no server in \(path).", recovery: "Run lifesignal-server init first.")
    }
    var information = stat()
    guard stat(settingsPath, &information) == 0, information.st_mode & 0o077 == 0 else {
      throw Fault(
        reason: "Others can read \(settingsPath).", recovery: "Run chmod 600 \(settingsPath).")
    }
    do {
      return try JSONDecoder().decode(
        ServerSettings.self, from: Data(contentsOf: URL(filePath: settingsPath))
      ).checked()
    } catch let fault as ServerSettings.Fault {
      throw Fault(reason: "\(settingsPath) is wrong: \(fault.reason).")
    } catch {
      throw Fault(reason: "\(settingsPath) can't be read.")
    }
  }

  func write(_ settings: ServerSettings) throws(Fault) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let temporary = settingsPath + ".new"
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, let data = try? encoder.encode(settings)
    else {
      throw Fault(reason: "\(path) can't be made: \(String(cString: strerror(errno))).")
    }
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw Fault(reason: "\(temporary) can't be written: \(String(cString: strerror(errno))).")
    }
    let isWritten =
      data.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == data.count
      && fsync(file) == 0
    close(file)
    guard isWritten, rename(temporary, settingsPath) == 0 else {
      throw Fault(reason: "\(settingsPath) can't be written.")
    }
  }

  /// Refuses a store that isn't the one that the server was set up with: another server's people
  /// would be watched, and its own wouldn't.
  func checkIdentity(of store: Store, _ settings: ServerSettings) async throws {
    let found = try await store.identity()
    guard let known = settings.store else {
      var settings = settings
      settings.store = found
      // Written once more by the next command if it can't be written by this one.
      try? write(settings)
      return
    }
    guard known == found else {
      throw Fault(
        reason: "This is the store of another server than that in \(path).",
        recovery: "Correct databaseFile, or remove “store” from \(settingsPath) if this is right.")
    }
  }

  /// Reads the certificate and its key from their files.
  func certificate(_ settings: ServerSettings) throws(Fault) -> (certificate: String, key: String)?
  {
    guard let certificate = settings.tlsCertificate, let key = settings.tlsKey else { return nil }
    let pair: (certificate: String, key: String)
    do {
      pair = (
        try String(contentsOfFile: certificate, encoding: .utf8),
        try String(contentsOfFile: key, encoding: .utf8)
      )
    } catch {
      throw Fault(reason: "The certificate or its key can't be read: \(certificate), \(key).")
    }
    guard WebServer.fits(key: pair.key, certificate: pair.certificate) else {
      throw Fault(reason: "The key in \(key) isn't that of the certificate in \(certificate).")
    }
    return pair
  }
}
