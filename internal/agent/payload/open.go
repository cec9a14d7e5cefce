package payload

import "slices"

// Open reads what a hook was given and says at which event: the one that the
// input names, else the one that the hook was registered for. Agents are those
// whose input it can be; where another one speaks there is no event.
func Open(event string, input []byte, agents ...string) (Object, string, error) {
	o, err := Parse(input)
	if err != nil {
		return nil, event, err
	}
	if speaker := Speaker(o); speaker != "" && !slices.Contains(agents, speaker) {
		return nil, "", nil
	}
	if said := o.Text("hook_event_name"); said != "" {
		event = said
	}
	return o, event, nil
}
