package plain

// ShowLinks has tables lead to files: for a terminal that is known to show links.
func (p *Printer) ShowLinks() { p.links = p.columns > 0 }
