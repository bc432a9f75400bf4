import type { LadderId } from '../arena/ladder.ts'
import type { Pieces } from '../scheduling/text-stream.ts'
import type { Tables } from '../store/store.ts'
import { plainBasis, StrengthSource } from '../store/strength-source.ts'
import { anchorsOf } from '../strength/anchors.ts'
import { fitTerms } from '../strength/likelihood.ts'
import { middle } from '../strength/scale.ts'

/** All that the strengths of these ladders follow from, as NDJSON: for each the terms of its fit, and then every match that counts. */
export function* ratingLines({ db, users }: Tables, ladders: readonly LadderId[]): Pieces {
  const source = new StrengthSource(db)
  const bases = source.bases()
  for (const ladder of ladders) {
    const { after } = bases.get(ladder) ?? plainBasis
    const terms = { ladder, middle, points: 400, ...fitTerms, anchors: anchorsOf(ladder), after }
    yield `${JSON.stringify(terms)}\n`
    for (const { order, accounts, places } of source.onLadder(
      ladder,
      after,
      Number.MAX_SAFE_INTEGER,
    )) {
      const players = accounts.map(account => users.byId(account)!.name)
      yield `${JSON.stringify({ ladder, order, players, places })}\n`
    }
  }
}
