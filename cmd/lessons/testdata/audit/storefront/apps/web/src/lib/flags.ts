export const flags = { partialRefunds: false, newAddressForm: true } as const

export function isOn(name: keyof typeof flags): boolean {
  return flags[name]
}
