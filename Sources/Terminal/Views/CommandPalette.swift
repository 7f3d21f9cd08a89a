/// All commands of the layer beneath and those of other places, found by typing: over everything else,
/// like a sheet.
///
/// The query and the position belong into the program's state; Enter closes the palette and does
/// what is selected, Esc closes it.
public struct CommandPalette: PrimitiveView {
  private let query: TextInput
  private let position: ListPosition
  private let elsewhere: [PlacedCommand]
  private let recent: [String]
  private let omitted: Set<String>
  private let onEdit: @MainActor (TextEdit) -> Void
  private let onMove: @MainActor (ListPosition) -> Void
  private let onClose: @MainActor () -> Void
  private let onUse: @MainActor (String) -> Void

  /// - Parameters:
  ///   - query: What has been typed.
  ///   - position: Where the list of commands stands.
  ///   - elsewhere: What can be done in other places; see ``View/declaredCommands(size:)``. Doing it
  ///     goes there first.
  ///   - omitted: The full titles of what is not offered, such as the palette itself.
  ///   - recent: The full titles of what was used, the last first: it stands before what fits as well.
  ///   - onEdit: Gets each edit of the query. The position is best reset with it.
  ///   - onMove: Gets the position that a key or the mouse asks for.
  ///   - onClose: The palette is to go. It is called before a command is carried out.
  ///   - onUse: Gets the full title of a command that is carried out.
  public init(
    query: TextInput, position: ListPosition, elsewhere: [PlacedCommand] = [],
    omitting omitted: Set<String> = [], recent: [String] = [],
    onEdit: @escaping @MainActor (TextEdit) -> Void,
    onMove: @escaping @MainActor (ListPosition) -> Void, onClose: @escaping @MainActor () -> Void,
    onUse: @escaping @MainActor (String) -> Void = { _ in }
  ) {
    self.query = query
    self.position = position
    self.elsewhere = elsewhere
    self.recent = recent
    self.omitted = omitted
    self.onEdit = onEdit
    self.onMove = onMove
    self.onClose = onClose
    self.onUse = onUse
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    Sheet("Commands", width: 60, height: 16) {
      PaletteContent(palette: self)
    }
    .command("esc", "Close", action: onClose)
    .build(in: tree)
  }

  fileprivate func content(_ commands: [Command], isASCII: Bool) -> some View {
    // What the keys that move about do is seen where it is done.
    let here = commands.filter { $0.isEnabled && $0.key?.movesAbout != true }
      .map { PlacedCommand($0, in: nil) }
    var titles = omitted
    let offered = (here + elsewhere).filter { titles.insert($0.command.fullTitle).inserted }
    let found = CommandSearch(query.text).matches(in: offered, recent: recent)
    return VStack {
      TextField("", input: query, isFocused: true, placeholder: "Type to search", onEdit: onEdit)
      List(
        found, position: position, onMove: onMove,
        onOpen: { placed in
          onClose()
          onUse(placed.command.fullTitle)
          placed.command.action()
        },
        row: { placed, _ in
          HStack {
            Text(placed.command.fullTitle)
            Spacer()
            Text(placed.place ?? "").foreground(.dim)
            Text(placed.command.key?.displayName(ascii: isASCII) ?? "").foreground(.accent)
              .frame(width: 6, alignment: .trailing)
          }
          .lineLimit(1)
        },
        empty: { Text("No command is called that.").foreground(.dim) })
    }
  }
}

extension KeyPress {
  /// Whether the key goes from place to place, or does what is selected.
  fileprivate var movesAbout: Bool {
    switch key {
    case .escape, .tab, .enter, .up, .down, .left, .right: true
    default: false
    }
  }
}

private struct PaletteContent: PrimitiveView {
  let palette: CommandPalette

  func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      palette.content(commands, isASCII: tree.theme.glyphs != .unicode).build(in: tree)
    }
  }
}
