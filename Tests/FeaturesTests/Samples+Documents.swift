import Clients
import Domain
import FoundationEssentials

extension Sample {
  static let card = document(80, "Medical card.pdf", 482_113, .always)
  static let itinerary = document(81, "Itinerary – Sarek, week 31.txt", 2_048, .duringAlert)
  static let photo = document(82, "photo.jpg", 3_214_000, .always)
  static let documents = [itinerary, card, photo]

  private static func document(
    _ number: UInt8, _ name: String, _ size: Int, _ access: EmergencyDocument.Access
  ) -> EmergencyDocument {
    EmergencyDocument(
      id: id(number), name: name, contentType: .binary, size: size, access: access,
      addedAt: now - .days(3))
  }

  /// A picture that roughly looks like a face.
  static let picture: PixelPicture = {
    var bytes = Data()
    for y in 0..<48 {
      for x in 0..<48 {
        let (dx, dy) = (x - 24, y - 24)
        let isFace = dx * dx + dy * dy < 20 * 20
        let isEye = abs(abs(dx) - 8) < 3 && abs(dy + 6) < 3
        let isMouth = abs(dx) < 10 && abs(dy - 9) < 2
        bytes +=
          isEye || isMouth
          ? [40, 30, 30, 255] : isFace ? [236, 188, 150, 255] : [60, 90, 130, 255]
      }
    }
    return PixelPicture(width: 48, height: 48, rgba: bytes)
  }()
}
