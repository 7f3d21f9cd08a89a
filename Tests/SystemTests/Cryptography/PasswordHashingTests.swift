import Testing

@testable import Cryptography

@Suite struct PasswordHashingTests {
  private let hashing = PasswordHashing.minimal

  @Test(
    "A password matches its own hash, and no other password does",
    arguments: ["", "four random words", "pässwörd 🗝"])
  func password(_ password: String) async throws {
    let hash = try await hashing.hash(password)
    #expect(hash.hasPrefix("$argon2id$"))
    #expect(try await hashing.matches(password, hash))
    #expect(try await !hashing.matches(password + "x", hash))
    #expect(try await !hashing.matches(password, nil))
    #expect(try await hashing.hash(password) != hash)
  }

  @Test(
    "Hashes made by libsodium itself, of a low cost and of the former cost, are accepted",
    arguments: [
      "$argon2id$v=19$m=8,t=1,p=1$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM",
      "$argon2id$v=19$m=262144,t=3,p=1$ym3KZJv8uCn7EE/kdXtY4g$3fmdUmhMb1RU5eqxaE+0D2sVotQfmuhZneI7xX0M2rI",
    ])
  func earlierHashes(_ hash: String) async throws {
    #expect(PasswordHash(hash)?.text == hash)
    #expect(PasswordHashing.isAffordable(hash))
    #expect(PasswordHashing.isOutdated(hash) == hash.contains("m=262144"))
    #expect(try await PasswordHashing.standard.matches("open sesame", hash))
    #expect(try await !hashing.matches("open sesam", hash))
  }

  @Test(
    "A malformed hash matches no password",
    arguments: [
      "", "secret", "$argon2id$v=19$m=8,t=1,p=1$$",
      "$argon2i$v=19$m=8,t=1,p=1$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM",
      "$argon2id$v=19$m=8,t=1,p=2$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM",
      "$argon2id$v=19$m=7,t=1,p=1$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM",
      "$argon2id$v=19$m=8,t=0,p=1$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM",
      "$argon2id$v=19$m=9223372036854775807,t=1,p=1$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM",
      "$argon2id$v=19$m=8,t=1,p=1$xZ7sO8ilrMlA4AXsDag8$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM",
      "$argon2id$v=19$m=8,t=1,p=1$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0Ge=",
    ])
  func noHash(_ text: String) async throws {
    #expect(try await !hashing.matches("open sesame", text))
    #expect(try await hashing.matches("open sesame", text, or: text) == (false, false))
    #expect(!PasswordHashing.isAffordable(text))
  }

  @Test(
    "A hash that costs more than any of ours is never checked",
    arguments: ["m=262144,t=4,p=1", "m=262145,t=3,p=1", "m=4194304,t=1,p=1"])
  func dearHash(_ cost: String) async throws {
    let hash =
      "$argon2id$v=19$\(cost)$ym3KZJv8uCn7EE/kdXtY4g$3fmdUmhMb1RU5eqxaE+0D2sVotQfmuhZneI7xX0M2rI"
    #expect(!PasswordHashing.isAffordable(hash))
    #expect(try await !hashing.matches("open sesame", hash))
  }

  @Test(
    "CHK-3: a changed gate costs as much to check as the old one, so timing reveals nothing")
  func sameCost() async throws {
    let before =
      "$argon2id$v=19$m=16,t=2,p=1$xZ7sO8ilrMlA4AXsDag85w$RLUT/8qUw8Eb73TWVtRSo4TCjAqWaljby+uwe8D0GeM"
    let recipe = try #require(PasswordHash(before)?.recipe)
    let changed = try await hashing.costing(as: before).hash("open sesame")
    #expect(PasswordHash(changed)?.recipe.cost == recipe.cost)
    #expect(PasswordHash(changed)?.recipe.salt != recipe.salt)
    let pretended = try await hashing.costing(as: before).hash("open sesame", like: before)
    #expect(PasswordHash(pretended)?.recipe == recipe)
    let first = try await hashing.costing(as: nil).hash("open sesame")
    #expect(PasswordHash(first)?.recipe.cost == .minimal)
  }

  @Test(
    "CHK-3: one computation distinguishes the passphrase, the duress passphrase and any other")
  func gate() async throws {
    let gate = try await hashing.hash("open sesame")
    let duress = try await hashing.hash("shut sesame", like: gate)
    #expect(PasswordHash(gate)?.recipe == PasswordHash(duress)?.recipe && gate != duress)
    #expect(try await hashing.matches("open sesame", gate, or: duress) == (true, false))
    #expect(try await hashing.matches("shut sesame", gate, or: duress) == (false, true))
    #expect(try await hashing.matches("sesame", gate, or: duress) == (false, false))
    #expect(try await hashing.matches("open sesame", gate, or: nil) == (true, false))
    // Those of earlier versions have salts of their own.
    let other = try await hashing.hash("shut sesame")
    #expect(try await hashing.matches("shut sesame", gate, or: other) == (false, true))
    #expect(try await hashing.matches("open sesame", gate, or: other) == (true, false))
  }
}
