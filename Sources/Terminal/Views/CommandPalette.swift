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
  private let onEdit: @MainActor (TextEdit) -> Void
  private let onMove: @MainActor (ListPosition) -> Void
  private let onClose: @MainActor () -> Void
  private let onUse: @MainActor (String) -> Void

  /// - Parameters:
  ///   - query: What has been typed.
  ///   - position: Where the list of commands stands.
  ///   - elsewhere: What can be done in other places; see ``View/declaredCommands(size:)``. Doing it
  ///     goes there first.
  ///   - recent: The titles of what was used, the last first: it stands before what fits as well.
  ///   - onEdit: Gets each edit of the query. The position is best reset with it.
  ///   - onMove: Gets the position that a key or the mouse asks for.
  ///   - onClose: The palette is to go. It is called before a command is carried out.
  ///   - onUse: Gets the title of a command that is carried out.
  public init(
    query: TextInput, position: ListPosition, elsewhere: [PlacedCommand] = [],
    recent: [String] = [], onEdit: @escaping @MainActor (TextEdit) -> Void,
    onMove: @escaping @MainActor (ListPosition) -> Void, onClose: @escaping @MainActor () -> Void,
    onUse: @escaping @MainActor (String) -> Void = { _ in }
  ) {
    self.query = query
    self.position = position
    self.elsewhere = elsewhere
    self.recent = recent
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
    // A key that acts while something is typed, as that for an emergency, is pressed and not chosen.
    let offered = commands.filter { $0.isEnabled && !$0.passesThroughFields }
      .map { PlacedCommand($0, in: nil) }
    let here = Set(offered.map(\.command.title))
    let others = elsewhere.filter { !here.contains($0.command.title) }
    let found = CommandSearch(query.text).matches(in: offered + others, recent: recent)
    return VStack {
      TextField("", input: query, isFocused: true, placeholder: "Type to search", onEdit: onEdit)
      List(
        found, position: position, onMove: onMove,
        onOpen: { placed in
          onClose()
          onUse(placed.command.title)
          placed.command.action()
        },
        row: { placed, _ in
          HStack {
            Text(placed.command.title)
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

private struct PaletteContent: PrimitiveView {
  let palette: CommandPalette

  func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      palette.content(commands, isASCII: tree.theme.glyphs != .unicode).build(in: tree)
    }
  }
}
