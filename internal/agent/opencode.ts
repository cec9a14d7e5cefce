// Asks lessons (https://github.com/lessons-cli/lessons) at OpenCode's events and
// gives its answers to the model. Without the program, or when it fails or takes
// too long, everything goes on as if this file were not here.
import { spawn } from "node:child_process"

// The hook's own program, and where that is missing the one that holds it.
let programs = [["lessons-hook"], ["lessons", "hook"]]
const patience = 3000 // milliseconds
const longest = 65536 // characters of a tool's output that are passed on

const cut = (text: unknown) => {
  const s = typeof text === "string" ? text : ""
  return s.length <= longest ? s : s.slice(0, longest / 2) + "\n[…]\n" + s.slice(-longest / 2)
}

class Denied extends Error {}

export const Lessons = async ({ directory, worktree }: any) => {
  const parents = new Map<string, string>() // of sub-agents' sessions
  const created = new Set<string>() // sessions that began in this process
  const compacted = new Set<string>() // sessions that are to be told everything again
  const starts = new Map<string, Promise<string>>() // what a session is told in every request
  const later = new Map<string, string[]>() // what a session is told in its next request
  const beside = new Map<string, string>() // by call: what is told with its result
  const settled = new Set<string>() // calls whose failure needs no answer (any more)
  const said = new Map<string, string>() // the last words in a session
  const working = new Map<string, Promise<unknown>>() // answers under way, by session

  const rootOf = (session: string) => {
    let at = session
    for (let i = 0; i < 10 && parents.has(at); i++) at = parents.get(at)!
    return at
  }

  const ask = (hook: string, session: string, more: any): Promise<any> =>
    new Promise((resolve) => {
      if (!programs.length) return resolve({})
      const [name, ...args] = programs[0]
      try {
        const text = JSON.stringify({ directory, worktree, session: { id: session, root: rootOf(session) }, ...more })
        const child = spawn(name, [...args, "opencode", hook], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] })
        let answer = ""
        const timer = setTimeout(() => {
          child.kill("SIGKILL")
          resolve({})
        }, patience)
        child.on("error", (e: any) => {
          clearTimeout(timer)
          if (e?.code !== "ENOENT") return resolve({})
          programs = programs.filter((program) => program[0] !== name)
          resolve(ask(hook, session, more))
        })
        child.on("close", () => {
          clearTimeout(timer)
          try {
            resolve(JSON.parse(answer) ?? {})
          } catch {
            resolve({})
          }
        })
        child.stdin.on("error", () => {})
        child.stdout.setEncoding("utf8")
        child.stdout.on("data", (chunk: string) => (answer += chunk))
        child.stdin.end(text)
      } catch {
        resolve({})
      }
    })

  // Only a denied call may end in an error; it is how OpenCode takes a refusal.
  const guarded =
    (hook: (input: any, output: any) => Promise<void>) =>
    async (input: any, output: any) => {
      try {
        await hook(input ?? {}, output ?? {})
      } catch (e) {
        if (e instanceof Denied) throw e
      }
    }

  const tellLater = (session: string, text: unknown) => {
    if (typeof text === "string" && text) later.set(session, [...(later.get(session) ?? []), text])
  }

  const failed = async (session: string, part: any, event: any) => {
    if (settled.has(part.callID)) return
    settled.add(part.callID)
    tellLater(session, beside.get(part.callID))
    beside.delete(part.callID)
    const answer = ask("event", session, { input: { event } })
    working.set(session, answer)
    tellLater(session, (await answer).context)
  }

  const happened = async (event: any) => {
    const about = event?.properties ?? {}
    const session: string = about.sessionID ?? about.info?.id ?? ""
    switch (event?.type) {
      case "session.created":
        created.add(session)
        if (about.info?.parentID) parents.set(session, about.info.parentID)
        return
      case "message.part.updated":
        if (about.part?.type === "tool" && about.part.state?.status === "error") await failed(session, about.part, event)
        return
      case "session.compacted":
        compacted.add(session)
        starts.delete(session)
        await ask("event", session, { input: { event } })
        return
      case "session.idle":
        await ask("event", session, { input: { event }, message: said.get(session) ?? "" })
        said.delete(session)
        return
      case "session.deleted":
        for (const known of [parents, starts, later, said, working]) known.delete(session)
    }
  }

  const begin = async (session: string, input: any) => {
    const source = compacted.delete(session) ? "compact" : created.has(session) ? "startup" : "resume"
    const answer = await ask("experimental.chat.system.transform", session, { input: { sessionID: input.sessionID }, source })
    return typeof answer.context === "string" ? answer.context : ""
  }

  return {
    event: guarded(async ({ event }) => happened(event)),

    "experimental.text.complete": guarded(async (input, output) => {
      said.set(input.sessionID, output.text)
    }),

    "experimental.chat.system.transform": guarded(async (input, output) => {
      const session = input.sessionID
      if (!session || String(output.system?.[0] ?? "").startsWith("You are a title generator")) return
      await working.get(session)
      if (!starts.has(session)) starts.set(session, begin(session, input))
      const start = await starts.get(session)
      if (start) output.system.push(start)
      output.system.push(...(later.get(session) ?? []))
      later.delete(session)
    }),

    "chat.message": guarded(async (input, output) => {
      const answer = await ask("chat.message", input.sessionID, { input, output: { message: output.message, parts: output.parts } })
      const last = output.parts?.[output.parts.length - 1]
      if (!answer.context || !last) return
      // Parts are put in the order of their ids, and the person's words come first.
      output.parts.push({ id: last.id + "0", sessionID: last.sessionID, messageID: last.messageID, type: "text", text: answer.context, synthetic: true })
    }),

    "tool.execute.before": guarded(async (input, output) => {
      const answer = await ask("tool.execute.before", input.sessionID, { input, output: { args: output.args } })
      if (answer.deny) {
        settled.add(input.callID)
        throw new Denied(answer.deny)
      }
      if (answer.context) beside.set(input.callID, answer.context)
      if (answer.input && typeof answer.input === "object") {
        for (const key of Object.keys(output.args)) delete output.args[key]
        Object.assign(output.args, answer.input)
      }
    }),

    "tool.execute.after": guarded(async (input, output) => {
      const { exit } = output.metadata ?? {}
      const answer = await ask("tool.execute.after", input.sessionID, { input, output: { output: cut(output.output), metadata: { exit } } })
      for (const text of [beside.get(input.callID), answer.context]) if (text) output.output += "\n\n" + text
      beside.delete(input.callID)
    }),
  }
}
