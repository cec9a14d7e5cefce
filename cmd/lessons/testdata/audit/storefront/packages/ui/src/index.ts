export { Button } from './Button'
export { PriceTag } from './PriceTag'
