import FoundationEssentials
import Glibc
import Terminal

// The picker draws on the terminal itself, so that its output can go elsewhere:
//     less "$(Picker)"
let folder =
  CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath
let picker = Picker(folder: URL(filePath: folder).standardized.path)
let application = TerminalApplication(inline: 10, erasesAtEnd: true) {
  PickerView(picker: picker, place: picker.folder)
}
picker.onFinish = application.stop
try application.run().endProcess()
guard let choice = picker.choice else { exit(1) }
print(choice)
