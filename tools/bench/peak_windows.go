package main

import "os"

// peakMB is not known there.
func peakMB(*os.ProcessState) float64 { return 0 }
