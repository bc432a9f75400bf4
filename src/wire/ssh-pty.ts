import { EventEmitter } from 'node:events'
import type { PseudoTtyInfo, Session, WindowChangeInfo } from 'ssh2'
import type { Size } from '../protocols/connection.ts'
import type { Screen } from './hub-session.ts'

/** The terminal of an SSH session, as far as its client has told of it. Emits `resize` with each new size. */
export class SshPty extends EventEmitter<{ resize: [Size] }> {
  screen: Screen | null = null
  readonly #variables = new Map<string, string>()

  constructor(session: Session) {
    super()
    session.on('pty', (accept, _, info) => {
      this.screen = { ...sizeOf(info), term: info.term.slice(0, 64), variables: this.#variables }
      accept?.()
    })
    session.on('env', (accept, reject, { key, val }) => {
      if (!variables.includes(key) || val.length > 64) return reject?.()
      this.#variables.set(key, val)
      accept?.()
    })
    session.on('window-change', (accept, _, info) => {
      if (this.screen !== null) this.screen = { ...this.screen, ...sizeOf(info) }
      this.emit('resize', sizeOf(info))
      accept?.()
    })
  }
}

/** The environment variables that say how a client wants to be written to. */
const variables = ['NO_COLOR', 'COLORTERM']

const sizeOf = ({ cols, rows }: WindowChangeInfo | PseudoTtyInfo): Size => ({
  columns: cols,
  rows,
})
