// Package plugins holds the test of what agents load from the folder plugins:
// that it says what the program says.
package plugins
