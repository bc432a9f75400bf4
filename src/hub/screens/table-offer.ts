import { seatRange } from '../../games/game.ts'
import type { PartyTable } from '../../matchmaking/party-tables.ts'
import { capital } from '../../record/result-text.ts'
import { freeSeats, sitterName } from '../../record/table-record.ts'
import type { Hint, ScreenSession } from '../screen.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import type { SeatOffer } from './seat.ts'

/** The seat of a person at a table that players have set up: they see who sits there, ask for house players, and start. */
export const tableOffer = (session: ScreenSession, table: PartyTable): SeatOffer => {
  const { hub, account } = session
  const { code, game, name } = table
  const levels = hub.levels(game)
  let level = 0
  const seatOf = (sitter: PartyTable['sitters'][number], slot: number) =>
    `${slot + 1}  ${sitter === null ? 'free' : sitterName(sitter, slot)}${
      sitter?.kind === 'account' && sitter.player.account.id === account?.id ? ' (you)' : ''
    }`
  const told = (answer: unknown) => {
    if (typeof answer === 'object' && answer !== null && 'detail' in answer)
      session.showMessage(`${capital(String(answer.detail))}.`, 'bad')
  }
  return {
    title: game.title,
    waiting: () => [
      `${code} · ${name} · ${game.title}`,
      `Others sit down by the code ${code}: agents join with it as their table, people find it under Rooms. The match begins when all ${table.seats} seats are taken, or when you start it. House players of ${levels[level]} take free seats; a match with them is unrated.`,
    ],
    lines: () => table.sitters.map(seatOf),
    hints: () => [
      ...(table.seats - freeSeats(table) >= seatRange(game).min ? [['s', 'start'] as Hint] : []),
      ...(freeSeats(table) > 0 ? [['h', `house ${levels[level]}`] as Hint] : []),
      ...(levels.length > 1 ? [['Tab', 'level'] as Hint] : []),
      ...(table.sitters.some(sitter => sitter?.kind === 'house')
        ? [['x', 'house leaves'] as Hint]
        : []),
    ],
    press: (key: Key) => {
      const pressed = key.kind === 'char' ? key.char : keyName(key)
      if (pressed === 's') session.whenDone(hub.parties.start(code), told)
      else if (pressed === 'h') session.whenDone(hub.parties.addHouse(code, levels[level]!), told)
      else if (pressed === 'tab') level = (level + 1) % levels.length
      else if (pressed === 'x') {
        const slot = table.sitters.findLastIndex(sitter => sitter?.kind === 'house')
        if (slot >= 0) hub.parties.removeHouse(code, slot)
      } else return false
      return true
    },
    watch: changed =>
      session.watchParties(event => {
        if (event.table === table) changed()
      }),
    join: player =>
      hub.matchmaking.seek(player, {
        game,
        table: code,
        ladder: hub.peopleRated ? 'people' : 'none',
        inOrder: true,
      }),
  }
}
