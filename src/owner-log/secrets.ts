/** What stands in place of a secret. */
const removed = '…removed…'

/**
 * Tokens of this host, whole or cut; and what stands after a name that says it is a secret, in JSON, in JSON that is quoted in
 * JSON, in a query, or after `Bearer`.
 */
const secrets =
  /abbs_[\w-]+|((?:token|api_?key|secret|password|authorization)\\*"\s*:\s*\\*"(?:Bearer\s+)?)[^"\\]+|(\b(?:token|api_?key)=)[^&\s"\\]+|(\bBearer\s+)[^\s"\\]+/gi

const words = /bbs_|token|key|secret|password|authorization|bearer/i

const escapes = /\\u00([2-7][0-9a-f])/gi

/** Whether a text may have tokens of this host in it. */
export const hasToken = (text: string): boolean => text.includes('bbs_')

/** Whether a secret is such a token. */
export const isToken = (secret: string): boolean => secret.startsWith('abbs_')

/**
 * A line without secrets: those that can be told by their form or their name, and the one of this connection. `isQuoting`: names of
 * secrets are looked for, too. That takes ten times as long; what the host sends has none, unless it quotes what the agent has sent.
 */
export const withoutSecrets = (text: string, own: string | null, isQuoting = true): string => {
  if (!isQuoting) {
    const isClean = !hasToken(text) && (own === null || own === '' || !text.includes(own))
    return isClean ? text : cleaned(text, own)
  }
  if (!text.includes('\\u00')) return cleaned(text, own)
  // Letters of a secret may be written as escapes.
  const plain = text.replace(escapes, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  const clean = cleaned(plain, own)
  return clean === plain ? text : clean
}

const cleaned = (text: string, own: string | null): string => {
  const clean =
    own !== null && own !== '' && text.includes(own) ? text.replaceAll(own, removed) : text
  return words.test(clean)
    ? clean.replace(secrets, (_, ...before) => `${before.slice(0, 3).join('')}${removed}`)
    : clean
}
