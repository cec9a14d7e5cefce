import { CartSchema, type Cart } from './schema'
import { request } from '../lib/request'

export async function loadCart(id: string): Promise<Cart> {
  return CartSchema.parse(await request(`/api/carts/${id}`))
}
