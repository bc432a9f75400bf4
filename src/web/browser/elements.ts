export const element = <T extends HTMLElement = HTMLElement>(selector: string): T => {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`the page has no element ${selector}`)
  return found
}

export const all = (selector: string, within: ParentNode = document): readonly HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(selector),
]

export const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('a value is missing on the page')
  return value
}
