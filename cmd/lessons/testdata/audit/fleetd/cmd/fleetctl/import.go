package main

import "fmt"

// importVehicles reads vehicles from a CSV file.
func importVehicles(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("import: want one file, got %d", len(args))
	}
	return nil
}
