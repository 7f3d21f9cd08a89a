import Glibc

/// Returns the system's description of an error number, such as `No space left on device`.
func systemReason(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }
