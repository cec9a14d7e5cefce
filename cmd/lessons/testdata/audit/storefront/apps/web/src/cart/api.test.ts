import { expect, test, vi } from 'vitest'
import { loadCart } from './api'

test('rejects a cart with a negative quantity', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ id: 'c1', lines: [{ sku: 'mug', qty: -1, cents: 900 }] }))
  await expect(loadCart('c1')).rejects.toThrow()
})
