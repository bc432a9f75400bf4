/** An agent's account as the servers of a bench are asked to have it. */
export interface BenchAccount {
  readonly name: string
  /** A public key as OpenSSH writes it, for those who come by SSH. */
  readonly publicKey?: string
}

/** An account that never connects, for agents who are to wait for it. */
export const absent = 'absent'

/** Where a server is reached. */
export interface Reach {
  readonly port: number
  /** For each account, where there are tokens. */
  readonly tokens: readonly string[]
}
