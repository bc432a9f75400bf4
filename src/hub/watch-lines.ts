import { type ArenaEvent, hasLiveMoves } from '../arena/arena-event.ts'
import type { Table } from '../arena/table.ts'
import { lookText } from '../drawing/look-text.ts'
import { type Desk, Failure } from '../queries/desk.ts'
import { moveText } from '../record/move-text.ts'
import type { Answerer } from './answer.ts'
import { endLines } from './screens/watch.ts'

/** Prints a live match as it goes on. Resolves when it is over, or nobody reads any more. */
export const watch = async (
  { house, visit, onGone }: Pick<Answerer, 'house' | 'visit' | 'onGone'>,
  desk: Desk,
  id: number,
  json: boolean,
): Promise<void> => {
  const table = house.arena.tables.get(id)
  if (table === undefined) {
    if (house.store.matches.find(id) === undefined) throw new Failure(`there is no match ${id}`)
    throw new Failure(`match ${id} is over: replay ${id} shows it`)
  }
  const { game, players } = table.deal
  const names = players.map(({ account }) => account.name)
  const words = json ? jsonOf : linesOf
  const moves = hasLiveMoves(game) ? table.moves : null
  if (json) desk.print(JSON.stringify({ match: id, game: game.id, players: names, moves }))
  else desk.print(`Match ${id}: ${game.title}, ${names.join(' – ')}\n\n${drawingOf(table)}`)
  const lookAway = house.lookOn()
  await new Promise<void>(resolve => {
    let news: ArenaEvent[] = []
    let gone = false
    // In the middle of a match: what it comes to is told when it is the turn of this visitor.
    const unwatch = house.arena.watch(event => {
      if (event.table !== table) return
      if (news.push(event) === 1) house.scheduler.add(tell, visit.source)
      if (event.kind !== 'moved') unwatch()
    })
    const tell = () => {
      if (gone) return
      const told = news
      news = []
      for (const [i, event] of told.entries()) desk.print(words(event, i + 1 === told.length))
      if (told.at(-1)!.kind !== 'moved') resolve()
    }
    onGone(() => {
      gone = true
      unwatch()
      resolve()
    })
  })
  lookAway()
}

/** The board as it stands, drawn once for all who watch. */
const drawingOf = (table: Table): string => {
  const ply = table.moves.length
  const known = drawings.get(table)
  if (known?.ply === ply) return known.drawing
  const drawing = lookText(table.look())
  drawings.set(table, { ply, drawing })
  return drawing
}

const drawings = new WeakMap<Table, { readonly ply: number; readonly drawing: string }>()

/** Who moved; and what, where those who look on may know. Only the newest move comes with the board. */
const linesOf = (event: ArenaEvent, isNewest: boolean): string => {
  switch (event.kind) {
    case 'began':
      return ''
    case 'moved': {
      const [seat, move, , fault] = event.move
      const name = event.table.deal.players[seat]!.account.name
      const what = fault ?? (hasLiveMoves(event.table.deal.game) ? moveText(move) : 'has moved')
      return `\n${event.ply}. ${name}: ${what}${isNewest ? `\n\n${drawingOf(event.table)}` : ''}`
    }
    case 'ended':
    case 'aborted':
      return `\n${endLines(event).join('\n')}`
  }
}

const jsonOf = (event: ArenaEvent): string => {
  switch (event.kind) {
    case 'began':
      return '{}'
    case 'moved': {
      const [seat, move, ms, fault = null] = event.move
      const told = hasLiveMoves(event.table.deal.game) ? move : null
      return JSON.stringify({ ply: event.ply, seat, move: told, ms, fault })
    }
    case 'ended':
      return JSON.stringify({
        ending: event.outcome.ending,
        places: event.outcome.places,
        detail: event.outcome.detail,
        changes: event.changes,
        unrated: event.unrated,
      })
    case 'aborted':
      return JSON.stringify({ ending: 'aborted', detail: event.detail })
  }
}
