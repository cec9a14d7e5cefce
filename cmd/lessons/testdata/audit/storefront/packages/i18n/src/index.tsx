import { createContext, useContext, type ReactNode } from 'react'
import en from '../locales/en.json'

const Messages = createContext<Record<string, string>>(en)

export function I18nProvider({ children }: { children: ReactNode }) {
  return <Messages value={en}>{children}</Messages>
}

export function useT(): (key: string) => string {
  const messages = useContext(Messages)
  return (key) => messages[key] ?? key
}
