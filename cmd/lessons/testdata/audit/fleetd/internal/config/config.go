// Package config reads settings from the environment.
package config

import (
	"errors"
	"os"
	"time"
)

// Config has all settings.
type Config struct {
	Addr           string
	DatabaseURL    string
	RequestTimeout time.Duration
}

// Load reads FLEETD_ADDR, FLEETD_DATABASE_URL and FLEETD_REQUEST_TIMEOUT.
func Load() (Config, error) {
	c := Config{Addr: os.Getenv("FLEETD_ADDR"), DatabaseURL: os.Getenv("FLEETD_DATABASE_URL"), RequestTimeout: 5 * time.Second}
	if c.DatabaseURL == "" {
		return c, errors.New("FLEETD_DATABASE_URL is not set")
	}
	return c, nil
}
