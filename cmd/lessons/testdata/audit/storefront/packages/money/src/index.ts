export { addVat, formatCents, splitEvenly } from './cents'
