import { formatCents } from '@quill/money'

export function PriceTag({ cents, currency }: { cents: number; currency: string }) {
  return <span>{formatCents(cents, currency)}</span>
}
