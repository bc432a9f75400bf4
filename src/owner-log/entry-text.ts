import { durationText } from '../record/time-text.ts'
import type { Entry } from './entry.ts'

/**
 * An entry as people read it. `mark`: `>` for what the agent has sent, `<` for what it was sent, `!` for a refusal, a fault or a
 * gap, and `*` for all else.
 */
export interface EntryText {
  readonly mark: '>' | '<' | '!' | '*'
  readonly text: string
}

export const entryText = (entry: Entry): EntryText => {
  const { kind, text = '', code, verb, length } = entry
  const cut = length === undefined ? '' : `… (${length} characters)`
  const line = `${verb === undefined ? '' : `${verb} `}${text}${cut}`
  switch (kind) {
    case 'opened':
      return { mark: '*', text: `logged in: ${text}` }
    case 'closed':
      return { mark: '*', text: `connection ended: ${text}` }
    case 'in':
      return { mark: '>', text: line }
    case 'out':
      return code === undefined
        ? { mark: '<', text: line }
        : { mark: '!', text: `refused, ${code}: ${line}` }
    case 'refused':
      return { mark: '!', text: `refused, ${code}` }
    case 'move':
      return moveText(entry)
    case 'dropped':
      return { mark: '!', text: `${entry.lines} lines are missing: the disk was too slow or full` }
    case 'full':
      return { mark: '!', text: 'this log has reached its limit for the day' }
  }
}

const moveText = ({ text, ply, ms = 0, fault }: Entry): EntryText =>
  fault === undefined
    ? { mark: '*', text: `move ${ply} was ${text}, after ${durationText(ms)}` }
    : { mark: '!', text: `move ${ply} was lost: ${fault}, after ${durationText(ms)}` }
