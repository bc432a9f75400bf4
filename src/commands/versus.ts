import type { LadderId } from '../arena/ladder.ts'
import { expectedScore } from '../arena/strength.ts'
import {
  eloOf,
  type Interval,
  logLikelihoodRatio,
  scoreInterval,
  sprtBound,
} from '../local/statistics.ts'
import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { userNamed } from '../queries/known-user.ts'
import { ladderNamed } from '../queries/ladder.ts'
import { withStore } from '../queries/with-store.ts'
import type { Tables } from '../store/store.ts'
import { plainBasis, StrengthSource } from '../store/strength-source.ts'
import type { User } from '../store/users.ts'
import { table } from '../text/table.ts'
import { decisionOf, decisionText, type Hypotheses, hypotheses } from './sprt.ts'

export const versus = (context: CommandContext) =>
  command(
    'versus',
    'Compare two agents: their strengths, the score that is expected of them, and their rated matches against each other.',
    'agentbbs versus ann bob',
    'agentbbs versus ann bob --ladder c4 --sprt 0,10',
  )
    .argument('<one>', 'an account')
    .argument('<other>', 'another one')
    .option('--ladder <name>', 'only this ladder; all on which both are known unless given')
    .option(
      '--sprt <elo0,elo1>',
      'whether their matches show that the first is elo0 or elo1 stronger',
      hypotheses,
    )
    .action((one: string, other: string, { ladder, sprt, json }: Options) =>
      withStore(context, store => {
        const pair = [userNamed(store, one), userNamed(store, other)] as const
        if (pair[0].id === pair[1].id)
          throw new Failure(`${pair[0].name} cannot be compared with itself: name two accounts`)
        const ladders =
          ladder === undefined
            ? store.strengths.ladders()
            : [ladderNamed(store.ladders, ladder.toLowerCase()).id]
        const compared = ladders.flatMap(id => comparison(store, id, pair) ?? [])
        if (json)
          return printJson(
            context,
            compared.map(row => jsonOf(row, pair, sprt)),
          )
        const [{ name }, { name: otherName }] = pair
        if (compared.length === 0)
          return context.print(
            `No fit has both ${name} and ${otherName}${ladder === undefined ? '' : ` on ${ladder}`} yet.`,
          )
        context.print(
          [
            table(columns, compared.map(rowOf), context.width),
            `Scores are those of ${name}: a win is 1, a draw is ½. Matches in brackets are won, drawn and lost.`,
            ...(sprt === undefined
              ? []
              : compared.map(row => sprtText(row, sprt, name, otherName))),
          ].join('\n\n'),
        )
      }),
    )

interface Options {
  readonly ladder?: string
  readonly sprt?: Hypotheses
  readonly json?: true
}

/** How the first of two stands to the other on a ladder. */
interface Comparison {
  readonly ladder: LadderId
  readonly strengths: readonly [Strength, Strength]
  /** Of the first, with seats exchanged from match to match. */
  readonly expected: number
  /** The rated matches against each other: losses, draws and wins of the first. */
  readonly results: readonly [number, number, number]
}

interface Strength {
  readonly strength: number
  readonly error: number
}

const comparison = (
  { db, strengths }: Tables,
  ladder: LadderId,
  [one, other]: readonly [User, User],
): Comparison | null => {
  const [a, b] = [strengths.of(ladder, one.id), strengths.of(ladder, other.id)]
  const fit = strengths.fit(ladder)
  if (a === undefined || b === undefined || fit === undefined) return null
  const source = new StrengthSource(db)
  const { after } = source.bases().get(ladder) ?? plainBasis
  const results: [number, number, number] = [0, 0, 0]
  for (const { accounts, places } of source.onLadder(ladder, after, Number.MAX_SAFE_INTEGER)) {
    const [own, their] = [one, other].map(({ id }) => places[accounts.indexOf(id)])
    if (own !== undefined && their !== undefined) results[own < their ? 2 : own > their ? 0 : 1]++
  }
  const gap = a.strength - b.strength
  const expected = (expectedScore(gap + fit.first) + expectedScore(gap - fit.first)) / 2
  return { ladder, strengths: [a, b], expected, results }
}

const scoreOf = ([losses, draws, wins]: Comparison['results']) => {
  const matches = losses + draws + wins
  if (matches === 0) return null
  const score = (wins + draws / 2) / matches
  return { matches, score, interval: scoreInterval(score, matches) }
}

const jsonOf = (
  { ladder, strengths, expected, results }: Comparison,
  players: readonly [User, User],
  sprt: Hypotheses | undefined,
) => {
  const [losses, draws, wins] = results
  const played = scoreOf(results)
  const llr = sprt === undefined ? 0 : llrOf(results, sprt)
  return {
    ladder,
    players: players.map(({ name }, i) => ({
      name,
      strength: strengths[i]!.strength,
      uncertainty: strengths[i]!.error,
    })),
    expected,
    ...{ wins, draws, losses },
    score: played?.score ?? null,
    scoreInterval: played?.interval ?? null,
    elo: played === null ? null : finite(eloOf(played.score)),
    sprt:
      sprt === undefined
        ? null
        : { elo0: sprt[0], elo1: sprt[1], llr, bound: sprtBound, accepted: decisionOf(llr) },
  }
}

const finite = (elo: number): number | null => (Number.isFinite(elo) ? elo : null)

/** Matches of a ladder come in no pairs: each counts by itself. */
const llrOf = (results: Comparison['results'], [elo0, elo1]: Hypotheses): number =>
  results.some(count => count > 0) ? logLikelihoodRatio(elo0, elo1, results) : 0

const right = true
const columns = [
  { title: 'LADDER', long: true },
  { title: 'STRENGTHS', right },
  { title: 'EXPECTED', right },
  { title: 'MATCHES', right },
  { title: 'SCORE (95 %)', right },
] as const

const rowOf = ({ ladder, strengths, expected, results }: Comparison) => {
  const [losses, draws, wins] = results
  const played = scoreOf(results)
  return [
    ladder,
    strengths
      .map(({ strength, error }) => `${strength.toFixed(0)} ± ${error.toFixed(0)}`)
      .join(', '),
    expected.toFixed(2),
    played === null ? '0' : `${played.matches} (${wins}, ${draws}, ${losses})`,
    played === null ? '-' : `${played.score.toFixed(2)} (${spanText(played.interval)})`,
  ]
}

const spanText = (interval: Interval): string => interval.map(end => end.toFixed(2)).join(' to ')

const sprtText = (
  { ladder, results }: Comparison,
  sprt: Hypotheses,
  one: string,
  other: string,
): string => {
  const llr = llrOf(results, sprt)
  return `${ladder}: SPRT of ${sprt[0]} against ${sprt[1]} Elo: LLR ${llr.toFixed(2)} (-2.94 to 2.94); ${decisionText(sprt, llr, one, other)}`
}
