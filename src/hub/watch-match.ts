import { type ArenaEvent, hasLiveMoves } from '../arena/arena-event.ts'
import { noteBefore } from '../arena/note.ts'
import type { Table } from '../arena/table.ts'
import { lookText } from '../drawing/look-text.ts'
import { votesOf } from '../games/game.ts'
import { Failure } from '../queries/command.ts'
import { moveLabel, moveText, noteText } from '../record/move-text.ts'
import { printable } from '../text/printable.ts'
import type { RunningCommand } from './run-command.ts'
import { endLines } from './screens/watch.ts'

/** Prints a live match move by move. Resolves when the match is over or the client is gone. */
export const watchMatch = async (
  running: RunningCommand,
  id: number,
  json: boolean,
): Promise<void> => {
  const { hub, request } = running
  const print = (text: string) => running.print(printable(text))
  const table = hub.arena.tables.get(id)
  if (table === undefined) {
    if ((await hub.questions.match(id)) === undefined) throw new Failure(`there is no match ${id}`)
    throw new Failure(`match ${id} is over: replay ${id} shows it`)
  }
  const { game } = table.deal
  const names = table.accounts.map(({ name }) => name)
  const textOf = json ? jsonOf : linesOf
  const moves = hasLiveMoves(game) ? table.moves : null
  if (json) print(JSON.stringify({ match: id, game: game.id, players: names, moves }))
  else print(`Match ${id}: ${game.title}, ${names.join(' – ')}\n\n${drawingOf(table)}`)
  const removeSpectator = hub.addSpectator()
  await new Promise<void>(resolve => {
    let unprinted: PrintedEvent[] = []
    let gone = false
    // This is called in the middle of a match, so it only takes note. Printing waits for a turn.
    const unwatch = hub.arena.watch(event => {
      if (event.table !== table || !isPrinted(event)) return
      if (unprinted.push(event) === 1) hub.scheduler.add(printEvents, request.source)
      if (isEnd(event)) unwatch()
    })
    const printEvents = () => {
      if (gone) return
      const events = unprinted
      unprinted = []
      for (const [i, event] of events.entries()) print(textOf(event, i + 1 === events.length))
      if (isEnd(events.at(-1)!)) resolve()
    }
    running.setControls(() => {
      gone = true
      unwatch()
      resolve()
    })
  })
  removeSpectator()
}

type PrintedEvent = Extract<ArenaEvent, { kind: 'moved' | 'voting' | 'ended' | 'aborted' }>

const isPrinted = (event: ArenaEvent): event is PrintedEvent =>
  event.kind === 'moved' || event.kind === 'voting' || isEnd(event)

const isEnd = ({ kind }: ArenaEvent) => kind === 'ended' || kind === 'aborted'

/** The current board, drawn once for all spectators. */
const drawingOf = (table: Table): string => {
  const ply = table.moves.length
  const known = drawings.get(table)
  if (known?.ply === ply) return known.drawing
  const drawing = lookText(table.look())
  drawings.set(table, { ply, drawing })
  return drawing
}

const drawings = new WeakMap<Table, { readonly ply: number; readonly drawing: string }>()

/** Who moved, and the move itself where spectators may see it. Only the newest move comes with the board. */
const linesOf = (event: PrintedEvent, isNewest: boolean): string => {
  switch (event.kind) {
    case 'voting':
      return `\n${votingText(event)}\n\n${drawingOf(event.table)}`
    case 'moved': {
      const [seat, move, , fault] = event.move
      if (votesOf(move) !== null) return `\n${event.ply}. ${moveLabel(move)}`
      const name = event.table.accounts[seat]!.name
      const shown = fault ?? (hasLiveMoves(event.table.deal.game) ? moveText(move) : 'has moved')
      return `${noteLine(event)}\n${event.ply}. ${name}: ${shown}${isNewest ? `\n\n${drawingOf(event.table)}` : ''}`
    }
    case 'ended':
    case 'aborted':
      return `${noteLine(event)}\n${endLines(event).join('\n')}`
  }
}

const votingText = ({ table: { vote } }: PrintedEvent): string => {
  const { opensIn = 0, closesIn = 0 } = vote ?? {}
  const seconds = Math.ceil((closesIn - opensIn) / 1000)
  return opensIn > 0
    ? `The audience votes in ${Math.ceil(opensIn / 1000)} s, for ${seconds} s.`
    : `The audience votes for ${seconds} s.`
}

const noteOf = (event: PrintedEvent) => {
  const { moves, notes } = event.table
  return noteBefore(notes, event.kind === 'moved' ? event.ply : moves.length + 1)
}

const noteLine = (event: PrintedEvent): string => {
  const { noteBefore: note } = noteOf(event)
  return note === undefined ? '' : `\nNote of the move before: ${noteText(note)}\n`
}

const jsonOf = (event: PrintedEvent): string => {
  switch (event.kind) {
    case 'voting':
      return JSON.stringify({ voting: event.table.vote })
    case 'moved': {
      const [seat, move, ms, fault = null] = event.move
      const shown = hasLiveMoves(event.table.deal.game) ? move : null
      return JSON.stringify({ ply: event.ply, seat, move: shown, ms, fault, ...noteOf(event) })
    }
    case 'ended':
      return JSON.stringify({
        ending: event.outcome.ending,
        places: event.outcome.places,
        detail: event.outcome.detail,
        changes: event.changes,
        unrated: event.unrated,
        ...noteOf(event),
      })
    case 'aborted':
      return JSON.stringify({ ending: 'aborted', detail: event.detail, ...noteOf(event) })
  }
}
