/// Something that can be done now, and the key that does it.
///
/// A view declares its commands with ``View/command(_:_:fullTitle:isEnabled:isHidden:scope:keywords:isAboutSelection:action:)``.
/// The same declaration serves the keys, the help bar, the sheet of keys and the palette.
public struct Command {
  /// Where a command works.
  public enum Scope: Hashable, Sendable {
    /// Not while a sheet or a dialog stands above the view that declares it.
    case local
    /// Always.
    case global
  }

  /// The key; `nil` for a command that is found in the palette only.
  public let key: KeyPress?
  /// What it does, in a few words.
  public let title: String
  /// What it does to what, such as "Edit your profile" for "Edit": the palette shows it, where nothing
  /// around it says what is meant.
  public let fullTitle: String
  /// Whether it can be done at the moment; if not, it is shown dim and its key does nothing.
  public let isEnabled: Bool
  /// Whether the help bar leaves it out.
  public let isHidden: Bool
  /// Where it works.
  public let scope: Scope
  /// Further words by which the palette finds it, such as "mail".
  public let keywords: [String]
  /// Whether it is about what is selected, so that it is offered only where that is seen.
  public let isAboutSelection: Bool
  /// Does it.
  public let action: @MainActor () -> Void

  /// A command; see ``View/command(_:_:fullTitle:isEnabled:isHidden:scope:keywords:isAboutSelection:action:)``.
  public init(
    key: KeyPress?, title: String, fullTitle: String? = nil, isEnabled: Bool = true,
    isHidden: Bool = false, scope: Scope = .local, keywords: [String] = [],
    isAboutSelection: Bool = false, action: @escaping @MainActor () -> Void
  ) {
    self.key = key
    self.title = title
    self.fullTitle = fullTitle ?? title
    self.isEnabled = isEnabled
    self.isHidden = isHidden
    self.scope = scope
    self.keywords = keywords
    self.isAboutSelection = isAboutSelection
    self.action = action
  }
}

struct CommandView<Content: View>: PrimitiveView {
  let content: Content
  let command: Command

  func build(in tree: ViewTree) {
    tree.addCommand(command) { content.build(in: tree) }
  }
}

/// Several commands around one view; the first comes first.
struct CommandsView<Content: View>: PrimitiveView {
  let content: Content
  let commands: ArraySlice<Command>

  func build(in tree: ViewTree) {
    guard let last = commands.last else { return content.build(in: tree) }
    tree.addCommand(last) {
      CommandsView(content: content, commands: commands.dropLast()).build(in: tree)
    }
  }
}

extension View {
  /// Declares several commands at once; the first comes first.
  public func with(_ commands: [Command]) -> some View {
    CommandsView(content: self, commands: commands[...])
  }
}

extension View {
  /// Declares what a key does while the view is shown.
  ///
  /// Of several commands for one key the innermost acts. Commands that are declared first and
  /// further inside come first in the help bar.
  ///
  /// - Parameters:
  ///   - key: The key, as text: `"c"`, `"ctrl+p"`, `"esc"`.
  ///   - title: What it does, in a few words, as in "check in".
  ///   - fullTitle: What it does to what, for the palette; the title if `nil`.
  ///   - isEnabled: Whether it can be done at the moment.
  ///   - isHidden: Whether the help bar leaves it out.
  ///   - scope: Whether it also works while a sheet or a dialog stands above the view.
  ///   - keywords: Further words by which the palette finds it.
  ///   - isAboutSelection: Whether it is about what is selected, so that the palette offers it only
  ///     where that is seen.
  ///   - action: Does it.
  public func command(
    _ key: KeyPress, _ title: String, fullTitle: String? = nil, isEnabled: Bool = true,
    isHidden: Bool = false, scope: Command.Scope = .local, keywords: [String] = [],
    isAboutSelection: Bool = false, action: @escaping @MainActor () -> Void
  ) -> some View {
    CommandView(
      content: self,
      command: Command(
        key: key, title: title, fullTitle: fullTitle, isEnabled: isEnabled, isHidden: isHidden,
        scope: scope, keywords: keywords, isAboutSelection: isAboutSelection, action: action))
  }

  /// Declares what can be done while the view is shown, without a key: it is found in the palette.
  ///
  /// - Parameters:
  ///   - title: What it does, in a few words; of several commands with one title the innermost is
  ///     meant.
  ///   - fullTitle: What it does to what; the title if `nil`.
  ///   - isEnabled: Whether it can be done at the moment.
  ///   - keywords: Further words by which it is found.
  ///   - action: Does it.
  public func command(
    _ title: String, fullTitle: String? = nil, isEnabled: Bool = true, keywords: [String] = [],
    action: @escaping @MainActor () -> Void
  ) -> some View {
    CommandView(
      content: self,
      command: Command(
        key: nil, title: title, fullTitle: fullTitle, isEnabled: isEnabled, keywords: keywords,
        action: action))
  }
}
