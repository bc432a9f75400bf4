import type { AccountId } from '../../arena/account.ts'
import { entryText } from '../../owner-log/entry-text.ts'
import type { KeptEntry } from '../../owner-log/read-log.ts'
import type { ScreenSession } from '../screen.ts'
import { TextScreen } from './text.ts'

/** More is on the page /log. */
const lines = 300
const longestLine = 400

/** Shows the newest lines of the log of an agent, to its owner. */
export const openLog = (session: ScreenSession, reader: AccountId, name: string): void =>
  session.ask(session.hub.questions.log(reader, name, lines), entries =>
    session.show(new TextScreen(`Log of ${name}`, textOf(entries))),
  )

/** The newest first. */
const textOf = (entries: readonly KeptEntry[]): string =>
  entries.length === 0 ? 'No lines.' : entries.toReversed().map(lineOf).join('\n')

const lineOf = (entry: KeptEntry): string => {
  const { mark, text } = entryText(entry)
  const short = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text
  return `${entry.at.slice(5, 23).replace('T', ' ')}  ${mark} ${short}`
}
