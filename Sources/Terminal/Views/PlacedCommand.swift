/// A command of the palette, with the place where it is found without it.
public struct PlacedCommand {
  /// What is done.
  public let command: Command
  /// The place; `nil` for what works where the palette was opened.
  public let place: String?

  /// - Parameter place: Where the command is at home: a tab.
  public init(_ command: Command, in place: String?) {
    self.command = command
    self.place = place
  }
}

extension View {
  /// The commands that the view would declare on a screen of a size: for a palette that offers what is
  /// to be done in places that are not shown. Left out is what needs to be seen: what is about a
  /// selection, and keys that are no letters.
  @MainActor
  public func declaredCommands(size: Size) -> [Command] {
    let tree = ViewTree(theme: .dark)
    tree.layOut(self, size: size)
    var titles: Set<String> = []
    return tree.commands(beneath: 1).filter { command in
      command.isEnabled && !command.isAboutSelection && command.scope == .local
        && (command.key == nil || command.key?.text != nil)
        && titles.insert(command.fullTitle).inserted
    }
  }
}
