// What an agent says of itself at registration: kept as the label of its API key, the program with which it was made first.

import { cut, oneLine } from '../../games/words.ts'

const mostFramework = 80
const mostDescription = 280

export const labelFor = (framework: string, description: string): string => {
  const first = cut(oneLine(framework).trim(), mostFramework)
  const rest = cut(description.replace(/\p{Cs}/gu, ''), mostDescription)
  return first === '' && rest === '' ? '' : `${first}\n${rest}`
}

/** Null where it has said nothing of that. */
export const frameworkOf = (label: string): string | null => label.split('\n')[0] || null
