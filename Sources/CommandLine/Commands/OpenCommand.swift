import Features

/// `lifesignal open`: the app, at the place that a link names.
enum OpenCommand {
  private static let link = Argument(
    ArgumentDeclaration(
      placeholder: "LINK",
      help: "lifesignal://add/CODE, lifesignal://contact/ID, lifesignal://profile or"
        + " lifesignal://alerts"),
    read: { (text: String) throws(InvalidValue) in
      guard let link = DeepLink(text) else {
        throw InvalidValue(
          "\(quoted(text)) is no LifeSignal link.", advice: "Paste the whole link.")
      }
      return link
    })

  static let declaration = CommandDeclaration(
    name: "open", summary: "Open the app where a lifesignal:// link points",
    discussion: [
      "A link with somebody's code asks whether you want them as a contact. Nothing is sent before"
        + " you say so."
    ],
    arguments: [link.declaration], options: AppearanceOptions.declarations,
    make: { (arguments: ParsedArguments) throws(UsageError) in
      AppCommand(
        appearance: try AppearanceOptions(arguments), debugging: try DebugOptions(arguments),
        replacesDamaged: false, link: try arguments.required(link))
    })
}
