// Command lessons captures what goes wrong and what is decided in sessions of
// coding agents, keeps it as Markdown in the repository, and puts it before the
// agent in time.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], thisMachine())) }
