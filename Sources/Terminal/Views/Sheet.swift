/// A panel in the middle of the screen, over everything else, wherever in the tree it stands. A cell
/// around it is cleared where there is room, so that it is told from what lies beneath.
///
/// Commands that are declared on the sheet or in it work while it is shown; those beneath do not,
/// unless they are global:
///
///     if let contact = state.contact {
///       Sheet("Details") { ContactDetails(contact) }
///         .command("esc", "Close") { store.send(.detailsDismissed) }
///     }
///
/// A sheet that is opened from another one takes its place, and its title says the way:
/// `Profile › Security › Password`; see ``View/sheetRoot(_:)``.
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
  ///   - width: The columns that it takes where the screen has them, its border included; `nil` for
  ///     as many as the content needs.
  ///   - height: The rows that it takes where the screen has them; `nil` for as many as the
  ///     content needs.
  ///   - rowsAround: The rows above and below that stay in sight however high the content is.
  ///   - footer: The text in the bottom edge.
  ///   - role: The colour of the border.
  ///   - progress: How far it has slid in from below, 0 to 1, as the program's state has it. Where
  ///     motion is reduced it is there at once.
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

  /// Adds the view to the tree of the frame.
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
  /// The title of a sheet that is added now, with those of the sheets that it was opened from.
  fileprivate func path(to title: String) -> String {
    let sheets = layers.compactMap(\.title)
    guard !sheets.isEmpty else { return title }
    return ([sheetRoot].compactMap(\.self) + sheets + [title]).joined(separator: BorderElement.step)
  }
}

/// Shows its content lower by what is missing in its way up.
private struct SlidingView<Content: View>: PrimitiveView {
  let content: Content
  let progress: Double

  /// The rows that a sheet slides: enough to be seen, too few to wait for.
  private static var distance: Double { 6 }

  func build(in tree: ViewTree) {
    let rows = Int(((1 - progress) * Self.distance).rounded())
    guard rows > 0, !tree.environment.reducesMotion else { return content.build(in: tree) }
    tree.addWrapping(LoweredElement(rows: rows)) { content.build(in: tree) }
  }
}

extension View {
  fileprivate func sliding(_ progress: Double) -> some View {
    SlidingView(content: self, progress: progress)
  }
}
