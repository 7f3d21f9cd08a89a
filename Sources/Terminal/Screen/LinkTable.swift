/// The addresses that styles refer to by number, which keeps a style free of references.
///
/// Views register their links while they are built and the writer looks up the addresses; both
/// share the table.
final class LinkTable {
  /// The number of an address.
  struct ID: Hashable, Sendable {
    let number: UInt32
    /// No link.
    static let none = ID(number: 0)
  }

  private var links: [Hyperlink] = []
  private var numbers: [Hyperlink: ID] = [:]

  /// Bounds the memory of a program that runs for months and draws text from other people.
  private static let limit = 4_096

  /// Whether the table must be emptied before the next frame, which invalidates all numbers.
  var isFull: Bool { links.count > Self.limit }

  /// Returns the number of an address, adding it if it is new.
  func id(for link: Hyperlink) -> ID {
    if let known = numbers[link] { return known }
    links.append(link)
    let id = ID(number: UInt32(links.count))
    numbers[link] = id
    return id
  }

  /// The address with a number; `nil` for ``ID/none``.
  subscript(id: ID) -> Hyperlink? {
    id == .none ? nil : links[Int(id.number) - 1]
  }

  /// Removes all addresses.
  func removeAll() {
    links.removeAll()
    numbers.removeAll()
  }
}
