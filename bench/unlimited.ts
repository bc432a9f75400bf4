import type { Config, Limits } from '../src/config.ts'

/** The same host without caps: a bench is an attack from one address, on which the host is to be measured, not tested. */
export const unlimited = (config: Config): Config => ({
  ...config,
  limits: { ...config.limits, ...most },
})

const any = 1_000_000

const most: Partial<Limits> = {
  loginTime: 120_000,
  unauthenticated: any,
  unauthenticatedPerAddress: any,
  sshConnectionRate: any,
  requests: any,
  pageTime: any,
  connections: any,
  connectionsPerAddress: any,
  connectionsPerAccount: any,
  lockoutAfter: any,
  matchesPerAccount: any,
  practicePerAccount: any,
  messages: any,
  hubSessions: any,
  inputRate: any,
}
