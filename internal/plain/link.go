package plain

// hyperlink is a text that leads to an address (OSC 8). Who prints it has made sure that both
// are fit to be shown.
func hyperlink(address, text string) string {
	return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// ShowLinks has tables lead to files: for a terminal that is known to show links.
func (p *Printer) ShowLinks() { p.links = p.columns > 0 }
