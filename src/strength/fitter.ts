import type { LadderId } from '../arena/ladder.ts'
import type { Database } from '../store/database.ts'
import { type PackedFit, packed } from '../store/packed-fit.ts'
import { type Basis, plainBasis, StrengthSource } from '../store/strength-source.ts'
import { Strengths } from '../store/strengths.ts'
import { fitLadder } from './fit-ladder.ts'
import { Outcomes } from './outcomes.ts'
import { middle } from './scale.ts'

/** Has the results of all ladders counted, and fits those with new ones. */
export class Fitter {
  readonly #db: Database
  readonly #source: StrengthSource
  readonly #strengths: Strengths
  readonly #ladders = new Map<LadderId, Counted>()
  /** Up to which result all are counted. */
  #last = 0

  constructor(db: Database) {
    this.#db = db
    this.#source = new StrengthSource(db)
    this.#strengths = new Strengths(db)
  }

  /** Reads what is new, and fits one ladder that has changed; null where none has. */
  next(): PackedFit | null {
    return this.#db.file.transaction(() => {
      this.#read()
      for (const [ladder, counted] of this.#ladders) {
        if (counted.isFitted) continue
        counted.isFitted = true
        const fit = this.#fit(ladder, counted)
        if (fit !== null) return fit
      }
      return null
    })()
  }

  #read(): void {
    const bases = this.#source.bases()
    const changed: LadderId[] = []
    for (const [ladder, basis] of bases) {
      const counted = this.#ladders.get(ladder)
      if (counted === undefined) this.#ladders.set(ladder, empty(basis))
      else if (counted.basis.text !== basis.text) changed.push(ladder)
    }
    // A void that is taken back may have been the only one.
    for (const [ladder, { basis }] of this.#ladders)
      if (!bases.has(ladder) && basis.text !== plainBasis.text) changed.push(ladder)
    for (const ladder of changed) {
      const counted = empty(bases.get(ladder) ?? plainBasis)
      this.#ladders.set(ladder, counted)
      for (const result of this.#source.onLadder(ladder, counted.basis.after, this.#last))
        count(counted, result)
    }
    for (const result of this.#source.since(this.#last)) {
      this.#last = result.order
      let counted = this.#ladders.get(result.ladder)
      if (counted === undefined) {
        counted = empty(plainBasis)
        this.#ladders.set(result.ladder, counted)
      }
      if (result.order > counted.basis.after) count(counted, result)
    }
  }

  /** Null where that is on disk already. */
  #fit(ladder: LadderId, { outcomes, basis, last }: Counted): PackedFit | null {
    const before = this.#strengths.fit(ladder)
    if (
      before === undefined ? last === 0 : before.last_seq === last && before.voided === basis.text
    )
      return null
    const began = performance.now()
    const starts = new Map(
      this.#strengths.all(ladder).map(({ account, strength }) => [account, strength]),
    )
    const { fit, rows } = fitLadder(ladder, outcomes, {
      strength: account => starts.get(account) ?? middle,
      first: before?.first ?? 0,
      house: this.#source.house(),
    })
    const took_ms = Math.round(performance.now() - began)
    return {
      ladder,
      fit: { ...fit, last_seq: last, voided: basis.text, took_ms },
      rows: packed(rows),
    }
  }
}

interface Counted {
  readonly basis: Basis
  readonly outcomes: Outcomes
  /** The place of the last one in the order of all results. */
  last: number
  isFitted: boolean
}

const empty = (basis: Basis): Counted => ({
  basis,
  outcomes: new Outcomes(),
  last: 0,
  isFitted: false,
})

const count = (
  counted: Counted,
  result: Parameters<Outcomes['add']>[0] & { readonly order: number },
): void => {
  counted.outcomes.add(result)
  counted.last = result.order
  counted.isFitted = false
}
