import Clients
import Domain
import FoundationEssentials
import ServerProtocol
import ServerTesting
import Store
import Testing

@testable import Server

/// Every number of every request, at its edges. A number that traps ends the whole server, so what
/// is tested is that this process is still there.
@Suite("Extreme numbers in requests", .timeLimit(.minutes(5)))
struct EdgeNumberTests {
  /// The edges of what a number can be: of a byte count, a duration, an instant, an index.
  static let edges = [
    "0", "-1", "1", "0.1", "2147483648", "9223372036854775807", "-9223372036854775808", "1e300",
  ]

  @Test(
    "An extreme number anywhere in a request is accepted or refused, and the server keeps running",
    arguments: Engine.all)
  func walk(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    var tried = 0
    for (number, route) in Route.all.enumerated() where route.access != .signsOut {
      // What a request changes may end a session, so each route has its own person.
      world.now += 10
      let eve = try await world.signUp("Eve\(number)")
      for seed in 0..<2 {
        var samples = Samples(seed: UInt64(seed))
        let arguments = try route.types.arguments.map { try samples.required($0, of: route) }
        let request = try route.request(values: arguments)
        for variant in variants(of: request) {
          // Without a session there are few tries.
          if !route.access.needsSession { world.now += 10 }
          let status = try await eve.raw(variant).status
          #expect((200..<600).contains(status) && status != 500, "\(route.name) \(variant.target)")
          tried += 1
        }
      }
    }
    #expect(tried > 500, "\(tried) requests have numbers")
    _ = try await ada.clients.checkInClient.checkIn(.manual)
  }

  @Test(
    "A file can be read from any offset with any length, even negative or huge ones",
    arguments: Engine.all)
  func parts(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    let files = ada.clients.fileStorageClient
    let metadata = StorageMetadata(name: "card.pdf", contentType: .pdf, access: .always)
    var file: EmergencyDocument?
    for await event in files.upload(Data("%PDF-56789".utf8), metadata) {
      switch event {
      case .completed(let document): file = document
      case .failed(let error): Issue.record(error)
      case .progress: break
      }
    }
    let url = try await files.url(#require(file).id)
    for (offset, count, text) in [
      (0, Int.max, "%PDF-56789"), (1, Int.max, "PDF-56789"), (9, 1, "9"), (10, 1, ""),
      (Int.max, Int.max, ""), (-1, 5, ""), (Int.min, Int.max, ""), (0, Int.min, ""), (3, 0, ""),
    ] {
      let part = try await files.read(url, offset, count)
      #expect(String(decoding: part, as: UTF8.self) == text, "\(offset) \(count)")
    }
    _ = try await world.signUp("Bob")
  }

  /// The request with each of its numbers replaced by each of the edges.
  private func variants(of request: ServerRequest) -> [ServerRequest] {
    var variants: [ServerRequest] = []
    for (name, value) in request.query {
      for text in Self.replacingNumbers(in: value) {
        var variant = request
        variant.query[name] = text
        variants.append(variant)
      }
    }
    for text in Self.replacingNumbers(in: String(decoding: request.body, as: UTF8.self)) {
      var variant = request
      variant.body = Data(text.utf8)
      variants.append(variant)
    }
    return variants.map {
      var variant = $0
      if variant.idempotencyKey != nil { variant.idempotencyKey = UUID() }
      return variant
    }
  }

  /// Returns a text of JSON with each of its numbers replaced by each of the edges.
  private static func replacingNumbers(in text: String) -> [String] {
    let digits = Set("+-.0123456789eE")
    var texts: [String] = []
    var isInString = false
    var isEscaped = false
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isInString = false
        }
      } else if character == "\"" {
        isInString = true
      } else if character == "-" || character.isNumber {
        let end = text[index...].firstIndex { !digits.contains($0) } ?? text.endIndex
        texts += edges.map { text[..<index] + $0 + text[end...] }
        index = end
        continue
      }
      index = text.index(after: index)
    }
    return texts
  }
}
