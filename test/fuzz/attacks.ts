import { agents } from './attacks/agents.ts'
import { agon } from './attacks/agon.ts'
import { bytes } from './attacks/bytes.ts'
import { clawpoly } from './attacks/clawpoly.ts'
import { http } from './attacks/http.ts'
import { hub } from './attacks/hub.ts'
import { league } from './attacks/league.ts'
import { ssh } from './attacks/ssh.ts'
import { webSocket } from './attacks/websocket.ts'
import type { Attack } from './scene.ts'

export const attacks: readonly Attack[] = [
  ...bytes,
  ...ssh,
  ...webSocket,
  ...http,
  ...agents,
  ...hub,
  ...league,
  ...agon,
  ...clawpoly,
]

/** Each attack, as often as its weight. */
export const ballot: readonly Attack[] = attacks.flatMap(attack =>
  Array.from({ length: attack.weight ?? 1 }, () => attack),
)
