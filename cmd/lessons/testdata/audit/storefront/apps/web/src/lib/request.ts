export class RequestError extends Error {
  constructor(readonly status: number) {
    super(`request failed with ${status}`)
  }
}

export async function request(path: string, init?: RequestInit): Promise<unknown> {
  const res = await fetch(path, init)
  if (!res.ok) throw new RequestError(res.status)
  return res.json()
}
