/** Adds value-added tax to a net amount and rounds half up. */
export function addVat(cents: number, percent: number): number {
  return Math.round((cents * (100 + percent)) / 100)
}

/** Splits an amount so that no cent is lost. */
export function splitEvenly(cents: number, parts: number): number[] {
  const base = Math.floor(cents / parts)
  return Array.from({ length: parts }, (_, i) => base + (i < cents % parts ? 1 : 0))
}

export function formatCents(cents: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100)
}
