import { Button } from './Button'

export const Primary = () => <Button>Buy</Button>
