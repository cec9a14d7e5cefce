// Package e2e runs real coding agents against a scripted model on loopback,
// with lessons installed as a person would install it. Its tests have the build tag e2e.
package e2e
