import { Resolver } from 'node:dns/promises'

/** The addresses of a name, at least one; throws where it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

/**
 * Asks DNS servers, those of the machine unless others are given. `dns.lookup` would ask in one of four threads that the
 * whole process shares, and a few names that are answered slowly on purpose would hold up all others. So the file of
 * hosts is not read, and what is usually in there is this machine by its name of RFC 6761.
 */
export const resolveByDns =
  (servers: readonly string[] = []): Resolve =>
  async name => {
    if (/^localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    const resolver = new Resolver({ timeout: 1_000, tries: 2 })
    if (servers.length > 0) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    throw (answers[0] as PromiseRejectedResult).reason
  }
