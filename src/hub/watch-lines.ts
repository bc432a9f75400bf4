import { type Happened, isOpen } from '../arena/audience.ts'
import { type Desk, Failure } from '../commands/desk.ts'
import { moveText } from '../commands/words.ts'
import type { Answerer } from './answer.ts'
import { endWords } from './screens/watch.ts'

/** Prints a live match as it goes on. Resolves when it is over, or nobody reads any more. */
export const watch = async (
  { house, onGone }: Pick<Answerer, 'house' | 'onGone'>,
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
  const told = json ? jsonOf : linesOf
  const moves = isOpen(game) ? table.moves : null
  if (json) desk.print(JSON.stringify({ match: id, game: game.id, players: names, moves }))
  else desk.print(`Match ${id}: ${game.title}, ${names.join(' - ')}\n\n${table.draw()}`)
  const lookAway = house.lookOn()
  await new Promise<void>(resolve => {
    const unwatch = house.arena.watch(event => {
      if (event.table !== table) return
      desk.print(told(event))
      if (event.kind === 'moved') return
      unwatch()
      resolve()
    })
    onGone(() => {
      unwatch()
      resolve()
    })
  })
  lookAway()
}

/** Who moved; and what, where those who look on may know. */
const linesOf = (event: Happened): string => {
  switch (event.kind) {
    case 'began':
      return ''
    case 'moved': {
      const [seat, move, , fault] = event.move
      const name = event.table.deal.players[seat]!.account.name
      const what = fault ?? (isOpen(event.table.deal.game) ? moveText(move) : 'has moved')
      return `\n${event.ply}. ${name}: ${what}\n\n${event.table.draw()}`
    }
    case 'ended':
      return `\n${endWords(event).join('\n')}`
    case 'aborted':
      return `\nAborted: ${event.detail}`
  }
}

const jsonOf = (event: Happened): string => {
  switch (event.kind) {
    case 'began':
      return '{}'
    case 'moved': {
      const [seat, move, ms, fault = null] = event.move
      const told = isOpen(event.table.deal.game) ? move : null
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
