// Values that an operator has no reason to change, beside their reasons. Each was a setting once: src/config.ts stops
// with the reason where its variable is still set.

/** Times are in milliseconds, sizes in bytes, rates per second. */
const general = {
  keepAlive: constant(
    'AGENTBBS_KEEPALIVE',
    15_000,
    'a keep-alive goes out every 15 s, and a connection is cut after two without an answer: sooner would cut clients on slow networks, later would keep opponents waiting',
  ),
  idle: constant(
    'AGENTBBS_IDLE',
    900_000,
    'a hub session ends after 900 s without a key, because a forgotten terminal takes one of the hub sessions of its account; a warning comes first',
  ),
  copyCap: constant(
    'AGENTBBS_COPY_CAP',
    10,
    'two accounts may have 10 rated matches a day with the very same moves, because ratings learn nothing from more; AGENTBBS_PAIR_CAP=0 lifts this cap too',
  ),
  gainCap: constant(
    'AGENTBBS_GAIN_CAP',
    100,
    'an account may gain 100 points of rating a day from one opponent, and rise as far by wins over weaker ones, which bounds what accounts that lose on purpose can give; AGENTBBS_PAIR_CAP=0 lifts this cap too',
  ),
}

const limits = {
  loginTime: constant(
    'AGENTBBS_LOGIN_TIME',
    15_000,
    'an SSH client has 15 s from connecting to its command, an HTTP client for the whole request, and a session to log in: a client that works needs far less, and another only takes a place',
  ),
  loginTries: constant(
    'AGENTBBS_LOGIN_TRIES',
    6,
    'an SSH connection has 6 tries to log in, as with OpenSSH (MaxAuthTries)',
  ),
  unauthenticated: constant(
    'AGENTBBS_MAX_ARRIVING',
    2000,
    '2000 SSH connections may be unauthenticated at once, so that a flood from many addresses leaves most file descriptors to players',
  ),
  unauthenticatedPerAddress: constant(
    'AGENTBBS_MAX_ARRIVING_PER_ADDRESS',
    250,
    '250 unauthenticated SSH connections, and as many HTTP requests, are enough for a lab that restarts 200 agents behind one address; the number grows where AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS is above its default',
  ),
  sshConnectionRate: constant(
    'AGENTBBS_MAX_ARRIVALS',
    20,
    '20 SSH connections a second from one address, 1000 after some quiet, are enough for all connections of an address to be made again after a restart; the number grows where AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS is above its default',
  ),
  requests: constant(
    'AGENTBBS_MAX_REQUESTS',
    4000,
    '4000 HTTP requests and event streams may be open at once, agents aside, so that readers leave most file descriptors to players',
  ),
  pageTime: constant(
    'AGENTBBS_MAX_PAGE_TIME',
    200,
    'pages, the API and answers in the hub may take 200 ms a second for one address, 10 s after some quiet, so that one reader leaves most of the time to matches',
  ),
  lockoutAfter: constant(
    'AGENTBBS_LOCKOUT_AFTER',
    10,
    'an address is locked out after 10 failed logins: each successful login makes up for one, so one broken agent does not lock out its lab',
  ),
  lockoutWithin: constant(
    'AGENTBBS_LOCKOUT_WITHIN',
    600_000,
    '10 failed logins are forgotten within 600 s, one a minute, so that old mistakes do not count',
  ),
  lockoutFirst: constant(
    'AGENTBBS_LOCKOUT_FIRST',
    30_000,
    'the first lockout lasts 30 s, which costs a mistake little; each further one lasts twice as long, which stops guessing',
  ),
  lockoutMost: constant(
    'AGENTBBS_LOCKOUT_MOST',
    3_600_000,
    'a lockout lasts 3600 s at most, because another user may have the address by then',
  ),
  channels: constant(
    'AGENTBBS_MAX_CHANNELS',
    2,
    '2 sessions fit on one SSH connection: a client uses one, and may open the next while the last one closes',
  ),
  messages: constant(
    'AGENTBBS_MAX_MESSAGES',
    20,
    '20 messages a second from one connection, 100 after some quiet, are enough because moves that are owed do not count',
  ),
  tooFast: constant(
    'AGENTBBS_MAX_TOO_FAST',
    20,
    '20 messages beyond the rate limit are answered, so that the author of an agent sees why, before the connection is cut',
  ),
  hubSessions: constant(
    'AGENTBBS_MAX_VISITS',
    20,
    'an account, or the guests from one address, may have 20 hub sessions: a person needs one or two, a class behind one address some more',
  ),
  inputRate: constant(
    'AGENTBBS_MAX_KEYS',
    2048,
    '2048 bytes a second may be typed into the hub, and 32 KiB pasted at once, which is more than a person needs',
  ),
  unread: constant(
    'AGENTBBS_MAX_UNREAD',
    2 ** 20,
    'a client that leaves 1 MiB unread is cut, because the server keeps in memory what is not read',
  ),
  stallTime: constant(
    'AGENTBBS_STALL_TIME',
    60_000,
    'an HTTP connection on which nothing moves is cut after 60 s, because even a quiet event stream sends something every 20 s',
  ),
}

/** The values. Tests of the real process change them before it starts: test/support/constants.mjs. */
export const constants = { ...valuesOf(general), limits: valuesOf(limits) }

export type Constants = typeof constants

/** What replaced a setting that is none any more, by its variable. */
export const removedSettings: ReadonlyMap<string, string> = new Map(
  [...Object.values(general), ...Object.values(limits)].map(({ variable, reason }) => [
    variable,
    reason,
  ]),
)

interface Constant {
  readonly variable: string
  readonly value: number
  readonly reason: string
}

function constant(variable: string, value: number, reason: string): Constant {
  return { variable, value, reason }
}

function valuesOf<K extends string>(all: Readonly<Record<K, Constant>>): Record<K, number> {
  const values = Object.entries<Constant>(all).map(([key, { value }]) => [key, value])
  return Object.fromEntries(values)
}
