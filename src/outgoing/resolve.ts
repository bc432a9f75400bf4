import { Resolver } from 'node:dns/promises'

/** The addresses of a name, at least one; throws where it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

/**
 * Asks the DNS servers of the machine. `dns.lookup` asks in one of four threads that the whole process shares: a few names
 * that are answered slowly on purpose would hold up all others.
 */
export const resolveByDns: Resolve = async name => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  throw (answers[0] as PromiseRejectedResult).reason
}
