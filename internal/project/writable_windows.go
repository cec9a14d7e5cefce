package project

// writable cannot be asked without writing here; a failing write says so itself.
func writable(string) bool { return true }
