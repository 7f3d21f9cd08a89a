import Domain
import Terminal

/// A row with a document's name, its size and when it can be opened.
struct DocumentRow: View {
  let document: EmergencyDocument
  let note: String
  var isOpen = true

  /// The number of rows beyond which a list scrolls.
  static let visibleRows = 10

  var body: some View {
    HStack(spacing: 2) {
      Text(document.name).foreground(isOpen ? .text : .dim)
        .frame(maxWidth: .max, alignment: .leading)
      Text(document.sizeText).frame(width: 8, alignment: .trailing)
      Text(note).foreground(.dim).frame(width: 22, alignment: .leading)
    }
    .lineLimit(1).padding(.trailing, 1)
  }
}
