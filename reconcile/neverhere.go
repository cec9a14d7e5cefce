package reconcile

// reasonNeverHere is the reason of a row whose artifact no history here ever held.
const reasonNeverHere = "never here"

// NeverHere says that the manifest registers an artifact which was never
// committed on any branch that is known here.
func (i Item) NeverHere() bool { return i.Answer == Skipped && i.Reason == reasonNeverHere }
