import { useEffect, useState } from 'react'
import { loadCart } from './api'
import type { Cart } from './schema'

export function useCart(id: string): Cart | undefined {
  const [cart, setCart] = useState<Cart>()
  useEffect(() => void loadCart(id).then(setCart), [id])
  return cart
}
