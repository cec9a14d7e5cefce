// Package resolve repairs what a merge without the merge driver leaves:
// conflict markers in knowledge files, entries that stand twice, numbers that two
// entries share, and citations of the number that one of them loses.
//
// An entry's identity is its marker; its number is a name. Who keeps a number
// follows from history alone, so that two people who repair the same merge apart
// write the same bytes.
package resolve
