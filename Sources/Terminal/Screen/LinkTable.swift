/// The addresses that styles refer to by number, so that a style stays plain memory.
///
/// Views number their links while they are built, the writer looks the addresses up; both share
/// the table.
final class LinkTable {
  /// The number of an address.
  struct ID: Hashable, Sendable {
    let number: UInt32
    /// No link.
    static let none = ID(number: 0)
  }

  private var links: [Hyperlink] = []
  private var numbers: [Hyperlink: ID] = [:]

  /// A bound on memory for a program that runs for months and draws what others send.
  private static let limit = 4_096

  /// Whether the table is to be emptied before the next frame; every number loses its meaning then.
  var isFull: Bool { links.count > Self.limit }

  /// The number of an address, which is added when it is new.
  func id(for link: Hyperlink) -> ID {
    if let known = numbers[link] { return known }
    links.append(link)
    let id = ID(number: UInt32(links.count))
    numbers[link] = id
    return id
  }

  /// The address behind a number; `nil` for none.
  subscript(id: ID) -> Hyperlink? {
    id == .none ? nil : links[Int(id.number) - 1]
  }

  /// Forgets all addresses.
  func removeAll() {
    links.removeAll()
    numbers.removeAll()
  }
}
