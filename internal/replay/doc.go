// Package replay judges lessons by recorded sessions, as they would have happened
// one after another: before each session the store holds what was learned from the
// sessions that had ended, every recorded event is put to the hooks, and what they
// say is held against how the calls ended.
//
// It takes place in a repository of its own, made for the purpose and removed
// afterwards, with the functions that hooks run: project's Answer, Scan and
// RenderAfterSession, and hook's Answer. The clock is the sessions' own, so that
// two replays are alike to the byte.
//
// What it cannot show: that the agent would have obeyed, and what it would have done
// then; after a stop the recorded session goes on as it was. The files of the recorded
// work tree are not there, so lessons that look at them (gates, redirections, the nearest
// path) see an empty tree, and no transcript is there, so keywords of what was said last
// match nothing.
package replay
