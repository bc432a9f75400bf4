import { agentOf } from '../../arena/account.ts'
import { type ArenaEvent, hasLiveMoves } from '../../arena/arena-event.ts'
import { countedSeats } from '../../arena/guests.ts'
import type { Played } from '../../arena/match-store.ts'
import type { Notes } from '../../arena/note.ts'
import { type Reaction, reactions } from '../../arena/reactions.ts'
import type { Table } from '../../arena/table.ts'
import { isTranscript } from '../../games/look.ts'
import { noteText } from '../../record/move-text.ts'
import { changeText, ratingsOf } from '../../record/rating-text.ts'
import { capital, outcomeText, ratedText, resultOfEvent } from '../../record/result-text.ts'
import { voteRefusalText, voteText } from '../../record/vote-text.ts'
import { drawMatch, type MatchPosition } from '../draw-match.ts'
import { everySecond } from '../every-second.ts'
import { sshCommand } from '../host-addresses.ts'
import { RecentReactions } from '../recent-reactions.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import type { Role } from '../terminal/palette.ts'
import { sanitized } from '../terminal/sanitize.ts'
import { wrap } from '../terminal/width.ts'
import { Transcript } from '../transcript.ts'
import { openReplay } from './replay.ts'
import { openSignIn } from './sign-in.ts'

/** A live match, followed to its end. Spectators may react to it, and vote where the audience does. */
export class WatchScreen implements Screen {
  readonly title: string
  readonly about =
    'The board changes with every move. What the game keeps secret is shown when the match is over. The keys 1 to 6 show a reaction to all who watch. When a debate is over its audience votes: press v. With s you get a link that signs you in to the page of the match.'
  readonly #session: ScreenSession
  readonly #table: Table
  readonly #ratings: readonly (number | null)[]
  readonly #transcript = new Transcript()
  readonly #reactions: RecentReactions
  readonly #unwatch: () => void
  #flipped = false
  /** Whether the next key chooses the seat to vote for. */
  #isVoting = false
  #end: readonly string[] | null = null
  #stop: (() => void) | null = null

  constructor(session: ScreenSession, table: Table) {
    this.#session = session
    this.#table = table
    this.#ratings = session.hub.ratings(table.deal)
    this.#reactions = new RecentReactions(session.clock)
    this.title = `${table.deal.game.title} · match ${table.id}`
    // Also while another screen is in front: the end of the match is told once.
    this.#unwatch = session.watch(event => this.#note(event))
  }

  get hints(): readonly Hint[] {
    const { vote } = this.#table
    if (this.#isVoting && vote !== null)
      return [
        [vote.between.map((_, i) => i + 1).join(' '), 'vote'],
        ['Esc', 'cancel'],
      ]
    return [
      ...(vote === null ? [] : [['v', 'vote'] as const]),
      ...(this.#canFlip ? [['f', 'flip'] as const] : []),
      ...(isTranscript(this.#table.look()) ? [['↑↓', 'scroll'] as const] : []),
      ...(this.#end === null ? [['1–6', 'react'] as const] : [['r', 'replay'] as const]),
      ['Esc', 'back'],
      ['s', 'sign in to the page'],
    ]
  }

  get #canFlip(): boolean {
    return this.#table.look().board?.turns !== undefined
  }

  shown(): void {
    const stopClock = everySecond(this.#session.clock, () => {
      if (this.#end === null) this.#session.redraw()
    })
    const removeSpectator = this.#session.hub.addSpectator()
    this.#stop = () => {
      removeSpectator()
      stopClock()
    }
  }

  hidden(): void {
    this.#stop?.()
  }

  closed(): void {
    this.#unwatch()
  }

  draw(canvas: Canvas): void {
    const { deal, accounts, moves, notes, clocks } = this.#table
    const names = accounts.map(({ name }) => name)
    const votes = this.#voteLines().flatMap(({ text, role }) =>
      wrap(sanitized(text), canvas.width).map(text => ({ text, role })),
    )
    const hasRoom = votes.length === 0 || canvas.height >= 14
    const position: MatchPosition = {
      look: this.#table.look(),
      seats: deal.players.map(({ protocol = null }, seat) => ({
        name: names[seat]!,
        side: deal.game.sides?.[seat],
        rating: this.#ratings[seat]!,
        protocol,
        toMove: this.#end === null && clocks[seat] !== null,
        clock: clocks[seat] ?? null,
      })),
      moves: hasLiveMoves(deal.game) || this.#end !== null ? moves : null,
      ply: moves.length,
      messages:
        this.#end ??
        (deal.unrated === null || !hasRoom ? [] : [capital(ratedText({ ...deal, voided: null }))]),
      note: newestNote(moves, notes, names),
    }
    const rows = votes.length + (this.#reactions.count > 0 ? 1 : 0)
    const above = canvas.part(0, 0, canvas.width, Math.max(1, canvas.height - rows))
    if (isTranscript(position.look)) this.#transcript.draw(above, position)
    else drawMatch(above, position, { flipped: this.#flipped })
    for (const [i, { text, role }] of votes.entries()) canvas.text(0, above.height + i, text, role)
    this.#reactions.draw(canvas, canvas.height - 1)
  }

  press(key: Key): boolean {
    if (this.#isVoting) return this.#choose(key)
    if (key.kind === 'char' && key.char in this.#actions) {
      this.#actions[key.char]!()
      return true
    }
    const reaction = key.kind === 'char' ? reactions[Number(key.char) - 1] : undefined
    if (reaction !== undefined) {
      this.#react(reaction)
      return true
    }
    return isTranscript(this.#table.look()) && this.#transcript.press(key)
  }

  readonly #actions: Readonly<Record<string, () => void>> = {
    f: () => {
      if (this.#canFlip) this.#flipped = !this.#flipped
    },
    r: () => {
      if (this.#end !== null) openReplay(this.#session, this.#table.id)
    },
    s: () => openSignIn(this.#session, `/match/${this.#table.id}`),
    v: () => this.#beginVote(),
  }

  #note(event: ArenaEvent): void {
    if (event.table !== this.#table) return
    if (event.kind === 'ended' || event.kind === 'aborted') {
      this.#end = endLines(event)
      this.#isVoting = false
    }
    if (event.kind === 'reacted') this.#reactions.add(event.reaction)
    if (event.kind === 'voting' && this.#table.vote?.opensIn === 0)
      this.#session.showMessage('The vote is open: press v.', 'good')
    this.#session.redraw()
  }

  /** How the vote stands, and what this person votes for. */
  #voteLines(): readonly { readonly text: string; readonly role: Role }[] {
    const { vote } = this.#table
    if (vote === null) return []
    const nameOf = (seat: number) => sideText(this.#table, seat)
    const { account } = this.#session
    const own = account === null ? null : this.#table.votedFor(agentOf(account))
    const choice = vote.between.map((seat, i) => `${i + 1} ${nameOf(seat)}`).join('   ')
    if (this.#isVoting) return [{ text: `Vote for  ${choice}`, role: 'bright' }]
    return [
      { text: voteText(vote), role: 'warning' },
      ...(own === null
        ? []
        : [
            {
              text: `Your vote: ${nameOf(own)}. v changes it.`,
              role: 'good' as const,
            },
          ]),
    ]
  }

  #beginVote(): void {
    const session = this.#session
    const { vote } = this.#table
    if (session.account === null)
      session.showMessage(`Votes need an account: ${sshCommand(session.hub.addresses, 'join')}`)
    else if (vote === null) session.showMessage('No vote is open in this match.')
    else if (vote.opensIn > 0) session.showMessage(voteText(vote))
    else this.#isVoting = true
  }

  #choose(key: Key): true {
    const { vote, id } = this.#table
    const seat = key.kind === 'char' ? vote?.between[Number(key.char) - 1] : undefined
    // Any other key leaves the vote as it is.
    this.#isVoting = false
    if (seat === undefined) return true
    const session = this.#session
    session.ask(session.hub.arena.vote(id, session.account!, seat), refusal => {
      if (refusal === null)
        session.showMessage(`Your vote for ${sideText(this.#table, seat)} counts.`, 'good')
      else session.showMessage(voteRefusalText(refusal), 'bad')
    })
    return true
  }

  #react(reaction: Reaction): void {
    const { account, hub } = this.#session
    if (this.#end !== null) return
    if (account === null)
      this.#session.showMessage(`Reactions need an account: ${sshCommand(hub.addresses, 'join')}`)
    else if (hub.reactionWait(account) > 0)
      this.#session.showMessage('One reaction in two seconds.', 'dim')
    else hub.arena.react(this.#table.id, reaction)
  }
}

/** Such as "ada (For)". */
const sideText = ({ deal, accounts }: Table, seat: number): string => {
  const side = deal.game.sides?.[seat]
  return `${accounts[seat]!.name}${side === undefined ? '' : ` (${side})`}`
}

/** The note of the last move or of the one before: of a live match the last one is not told yet. */
const newestNote = (
  moves: readonly Played[],
  notes: Notes,
  names: readonly string[],
): string | null => {
  const ply = [moves.length, moves.length - 1].find(ply => notes[ply] !== undefined)
  return ply === undefined ? null : `${ply}. ${names[moves[ply - 1]![0]]}: ${noteText(notes[ply]!)}`
}

/** The result of a match that has just ended, and the changes of ratings. */
export const endLines = (
  event: Extract<ArenaEvent, { kind: 'ended' | 'aborted' }>,
): readonly string[] => {
  const result = resultOfEvent(event)
  const outcome = `${outcomeText(result)}.`
  if (event.kind === 'aborted') return [outcome]
  const { changes, unrated } = event
  const ratings =
    unrated === null
      ? // A guest has no rating.
        countedSeats(event.table.accounts.map(({ id }) => id)).map(
          seat => `${result.players[seat]!.name} ${changeText(ratingsOf(changes[seat]!))}`,
        )
      : [capital(ratedText({ unrated, voided: null }))]
  return [outcome, ratings.join(', ')]
}
