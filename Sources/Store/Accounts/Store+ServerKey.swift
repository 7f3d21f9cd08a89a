package import Clients
package import Cryptography
import FoundationEssentials

extension Store {
  /// Returns the key pair to which devices seal passphrases; makes it first if there is none. All
  /// servers of a store have the same one.
  package func sealingKeys() throws(ClientError) -> SealedBox.Keys {
    if let keys = try read({ try storedKeys() }) { return keys }
    return try write(isNoted: false) {
      try database.run(
        "INSERT INTO server_key (id, secret) VALUES (1, ?1) ON CONFLICT (id) DO NOTHING",
        SealedBox.Keys().text)
      guard let keys = try storedKeys() else { throw StorageError.serialization("server_key") }
      return keys
    }
  }

  /// Returns what tells this store from every other one, and stays the same in its backups.
  package func identity() throws(ClientError) -> String {
    SecureToken(text: try sealingKeys().publicKey.base64EncodedString()).digest
  }

  private func storedKeys() throws(StorageError) -> SealedBox.Keys? {
    try database.value(String.self, "SELECT secret FROM server_key WHERE id = 1")
      .flatMap { SealedBox.Keys($0) }
  }
}
