import type { Config, Limits } from '../src/config.ts'

/** A benchmark is a flood from one address, so the limits on clients are off. */
export const withoutLimits = (config: Config): Config => ({
  ...config,
  limits: { ...config.limits, ...raised },
})

const any = 1_000_000

const raised: Partial<Limits> = {
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
