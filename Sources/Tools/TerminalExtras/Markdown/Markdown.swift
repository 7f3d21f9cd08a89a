public import Terminal

/// A view of Markdown text from any source: headings, emphasis, code, lists, quotes, links and
/// rules.
///
///     Markdown("**Penicillin** allergy. Key with [the neighbour](tel:+442071838750).")
///
/// If the terminal supports links, they can be followed; otherwise their addresses are shown after
/// them. Pictures, tables and HTML are shown as written.
public struct Markdown: PrimitiveView {
  private let blocks: [MarkdownBlock]

  /// Creates a view of the parsed text.
  /// - Complexity: O(n).
  public init(_ text: String) {
    blocks = MarkdownParser.blocks(of: text)
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    MarkdownBlocks(blocks: blocks, showsLinks: tree.showsLinks).build(in: tree)
  }
}

/// Blocks below each other, separated by an empty line except between list items.
private struct MarkdownBlocks: View {
  let blocks: [MarkdownBlock]
  let showsLinks: Bool

  var body: some View {
    VStack {
      ForEach(0..<blocks.count) { index in
        if index > 0, !(blocks[index].isItem && blocks[index - 1].isItem) { Text("") }
        AnyView(block(blocks[index]))
      }
    }
  }

  @ViewBuilder private func block(_ block: MarkdownBlock) -> some View {
    switch block {
    case .heading(1, let spans): text(spans).bold().foreground(.accent)
    case .heading(2, let spans): text(spans).bold()
    case .heading(_, let spans): text(spans).bold().foreground(.dim)
    case .paragraph(let spans): text(spans)
    case .item(let marker, let depth, let spans):
      HStack(spacing: 1) {
        Text(marker).foreground(.accent)
        text(spans)
      }
      .padding(.leading, 2 * depth)
    case .quote(let blocks):
      AnyView(
        Quote(content: MarkdownBlocks(blocks: blocks, showsLinks: showsLinks).foreground(.dim)))
    case .code(let lines):
      VStack {
        ForEach(0..<lines.count) { Text(lines[$0]).lineLimit(1) }
      }
      .padding(.horizontal, 1)
      .background(.field)
    case .rule: Divider()
    }
  }

  private func text(_ spans: [MarkdownSpan]) -> Text {
    spans.reduce(Text("")) { $0 + text($1) }
  }

  private func text(_ span: MarkdownSpan) -> Text {
    var text = Text(span.text)
    if span.traits.contains(.strong) { text = text.bold() }
    if span.traits.contains(.emphasis) { text = text.italic() }
    if span.traits.contains(.strike) { text = text.strike() }
    if span.traits.contains(.code) { text = text.foreground(.accent) }
    guard let address = span.address else { return text }
    let link = Hyperlink(address)
    text = text.link(link)
    // If an address can't be followed, it can still be read.
    if span.text == address || (showsLinks && link != nil) { return text }
    return text + Text(" (\(address))").foreground(.dim)
  }
}

extension MarkdownBlock {
  fileprivate var isItem: Bool {
    if case .item = self { true } else { false }
  }
}

/// Content with a bar at its left.
private struct Quote<Content: View>: View {
  let content: Content

  var body: some View {
    content.padding(.leading, 2).overlay(alignment: .leading) {
      SizeReader { size in
        VStack {
          ForEach(0..<size.rows) { _ in Text("▌").foreground(.border) }
        }
      }
      .frame(width: 1)
    }
  }
}
