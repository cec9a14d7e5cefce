// Package project is one repository as lessons works on it: it opens the
// repository, joins what git, the store and the agents know, and carries out
// what a command or a hook asks for. All input and output, time and environment
// enter the other packages from here.
package project
