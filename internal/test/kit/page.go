package kit

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ValidPage says what is wrong with a page, read as strictly as XML: its nesting, ids that are
// there twice, pictures without words, and controls without a label.
func ValidPage(page string) error {
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!DOCTYPE html>")))
	d.Entity = xml.HTMLEntity
	ids, named := map[string]bool{}, map[string]bool{} // ids, and those that a label is for
	var open, unnamed []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.StartElement:
			open = append(open, e.Name.Local)
			if id := attribute(e, "id"); id != "" && ids[id] {
				return fmt.Errorf("two elements have the id %q", id)
			} else if id != "" {
				ids[id] = true
			}
			switch e.Name.Local {
			case "img":
				if attribute(e, "alt") == "" {
					return errors.New("a picture has no words")
				}
			case "label":
				named[attribute(e, "for")] = true
			case "input", "select", "textarea":
				if attribute(e, "type") != "hidden" && attribute(e, "aria-label") == "" && !slices.Contains(open, "label") {
					unnamed = append(unnamed, attribute(e, "id"))
				}
			}
		}
	}
	for _, id := range unnamed {
		if id == "" || !named[id] {
			return fmt.Errorf("the control %q has no label", id)
		}
	}
	return nil
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
