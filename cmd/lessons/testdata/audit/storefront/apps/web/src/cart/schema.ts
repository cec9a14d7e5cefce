import { z } from 'zod'

export const LineSchema = z.object({ sku: z.string(), qty: z.number().int().positive(), cents: z.number().int() })
export const CartSchema = z.object({ id: z.string(), lines: z.array(LineSchema) })
export type Cart = z.infer<typeof CartSchema>
