/// A panel in the centre of the screen, above everything else, wherever it is declared in the tree.
/// If there is space, one cell around it is cleared to set it off from what is below.
///
/// Commands declared on or in the sheet work while it is shown; those below it don't, unless they
/// are global:
///
///     if let contact = state.contact {
///       Sheet("Details") { ContactDetails(contact) }
///         .command("esc", "Close") { store.send(.detailsDismissed) }
///     }
///
/// A sheet opened from another one replaces it, and its title shows the path:
/// `Profile › Security › Password`; see ``View/sheetPathRoot(_:)``.
public struct Sheet<Content: View>: PrimitiveView {
  private let title: String
  private let width: Int?
  private let height: Int?
  private let rowsAround: Int
  private let footer: String?
  private let role: ThemeRole
  private let progress: Double
  private let content: Content

  /// - Parameters:
  ///   - title: The text in the top edge.
  ///   - width: The maximum width in columns, including the border; `nil` for the width of the
  ///     content.
  ///   - height: The maximum height in rows; `nil` for the height of the content.
  ///   - rowsAround: The number of rows above and below the sheet that always stay visible.
  ///   - footer: The text in the bottom edge.
  ///   - role: The colour of the border.
  ///   - progress: How far the sheet has slid in from below, from 0 to 1, as kept in the program's
  ///     state. With reduced motion the sheet appears at once.
  ///   - content: The content of the sheet.
  public init(
    _ title: String, width: Int? = 60, height: Int? = nil, rowsAround: Int = 0,
    footer: String? = nil, role: ThemeRole = .focusedBorder, progress: Double = 1,
    @ViewBuilder content: () -> Content
  ) {
    self.title = title
    self.width = width
    self.height = height
    self.rowsAround = max(0, rowsAround)
    self.footer = footer
    self.role = role
    self.progress = progress.isFinite ? min(1, max(0, progress)) : 1
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    ModalView(content: panel(titled: tree.path(to: title)), title: title).build(in: tree)
  }

  private func panel(titled title: String) -> some View {
    ElementView(
      element: MarginElement(),
      content:
        content
        .padding(.horizontal, 1)
        .frame(
          minWidth: 0, maxWidth: width.map { max(0, $0 - 2) }, minHeight: height.map { _ in 0 },
          maxHeight: height.map { max(0, $0 - 2) }, alignment: .topLeading
        )
        // A long title must not make the sheet wider.
        .border(title: title, footer: footer, role: role, edgeLimit: width.map { $0 - 4 } ?? .max)
        .background(.standard)
        .sliding(progress)
    )
    .padding(.vertical, rowsAround)
  }
}

extension ViewTree {
  /// Returns the title for a sheet added now, preceded by those of the sheets it was opened from.
  fileprivate func path(to title: String) -> String {
    let sheets = layers.compactMap(\.title)
    guard !sheets.isEmpty else { return title }
    return ([sheetPathRoot].compactMap(\.self) + sheets + [title]).joined(
      separator: BorderElement.step)
  }
}

/// Shows its content shifted down until it has slid all the way up.
private struct SlidingView<Content: View>: PrimitiveView {
  let content: Content
  let progress: Double

  /// The distance a sheet slides, in rows: enough to notice, too little to wait for.
  private static var distance: Double { 6 }

  func build(in tree: ViewTree) {
    let rows = Int(((1 - progress) * Self.distance).rounded())
    guard rows > 0, !tree.environment.reducesMotion else { return content.build(in: tree) }
    tree.addWrapping(VerticalOffsetElement(rows: rows)) { content.build(in: tree) }
  }
}

extension View {
  fileprivate func sliding(_ progress: Double) -> some View {
    SlidingView(content: self, progress: progress)
  }
}

/// A text that covers all of the screen except the help bar, without borders or padding, so that it
/// can be selected with the mouse and copied.
public struct FullScreenText<Content: View>: View {
  private let content: Content

  /// - Parameter content: The lines.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// The view's content.
  public var body: some View {
    ModalView(
      content:
        content
        .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
        .background(.standard))
  }
}

/// A sheet with its own background that covers all of the screen except the top line and the help
/// bar, for what nobody must overlook.
public struct FullScreenSheet<Content: View>: View {
  private let title: String
  private let rowsAbove: Int
  private let content: @MainActor (Size) -> Content

  /// - Parameters:
  ///   - title: The text in the top edge.
  ///   - rowsAbove: The number of rows at the top that stay visible.
  ///   - content: Builds the content for the available size.
  public init(
    _ title: String, rowsAbove: Int = 1,
    @ViewBuilder content: @escaping @MainActor (Size) -> Content
  ) {
    self.title = title
    self.rowsAbove = rowsAbove
    self.content = content
  }

  /// The view's content.
  public var body: some View {
    ModalView(
      content: SizeReader(content: content)
        .padding(.horizontal, 1)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
        .border(title: title, role: .alarm)
        .background(.alarm)
        .padding(.top, rowsAbove))
  }
}

/// Shows its content above the whole screen. What is below stays visible but only handles global
/// commands. The help bar stays bright.
struct ModalView<Content: View>: PrimitiveView {
  let content: Content
  /// The title of a sheet.
  var title: String?

  func build(in tree: ViewTree) {
    tree.addLayer(.modal, title: title) { content.build(in: tree) }
  }
}

/// Clears one cell on each side of its child, if there is space.
struct MarginElement: Element {
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = tree.measureChild(of: node, proposal)
    let room = proposal.resolved(own)
    return Size(
      columns: own.columns + 2 <= room.columns ? own.columns + 2 : own.columns,
      // Keep the top line visible.
      rows: own.rows + 4 <= room.rows ? own.rows + 2 : own.rows)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    let size = tree.measure(child, proposal)
    tree.place(child, in: Alignment.center.place(size, in: rect), proposal: proposal)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    canvas.fill(tree.rect(of: node), style: tree.style(of: node))
    tree.drawChildren(of: node, on: canvas)
  }
}
