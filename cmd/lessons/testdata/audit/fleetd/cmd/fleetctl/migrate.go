package main

import "fmt"

// migrate applies or undoes the files of the folder migrations.
func migrate(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("migrate: up or down?")
	}
	return nil
}
