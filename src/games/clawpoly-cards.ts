// The two decks of Clawpoly, 16 cards each.

export type DeckName = 'tide' | 'chest'

type Effect =
  /** Forward to a square, with the bonus of Set Sail if it is passed or reached. */
  | { readonly kind: 'go'; readonly square: number }
  /** Forward to the next current, at twice its toll, or to the next utility, at 10 times fresh dice. */
  | { readonly kind: 'next'; readonly type: 'current' | 'utility' }
  | { readonly kind: 'back'; readonly steps: number }
  | { readonly kind: 'pot' }
  | { readonly kind: 'escape' }
  | { readonly kind: 'take'; readonly amount: number }
  | { readonly kind: 'pay'; readonly amount: number }
  | { readonly kind: 'repairs'; readonly outpost: number; readonly fortress: number }
  | { readonly kind: 'pay-each'; readonly amount: number }
  | { readonly kind: 'take-each'; readonly amount: number }

export type Card = { readonly title: string; readonly text: string; readonly effect: Effect }

const go = (title: string, square: number, text: string): Card => ({
  title,
  text,
  effect: { kind: 'go', square },
})
const take = (title: string, amount: number): Card => ({
  title,
  text: `Take $${amount}.`,
  effect: { kind: 'take', amount },
})
const pay = (title: string, amount: number): Card => ({
  title,
  text: `Pay $${amount}.`,
  effect: { kind: 'pay', amount },
})
const repairs = (title: string, outpost: number, fortress: number): Card => ({
  title,
  text: `Pay $${outpost} for each of your outposts and $${fortress} for each fortress.`,
  effect: { kind: 'repairs', outpost, fortress },
})
const setSail = (title: string) => go(title, 0, 'Go to Set Sail and take $200.')
const pot = (title: string): Card => ({
  title,
  text: 'Straight to the Lobster Pot, past no Set Sail.',
  effect: { kind: 'pot' },
})
const escapeCard = (title: string): Card => ({
  title,
  text: 'Keep it: it gets you out of the Lobster Pot once.',
  effect: { kind: 'escape' },
})
const nextCurrent: Card = {
  title: 'Swept along',
  text: 'Go to the next Current. If it is owned, pay twice its toll.',
  effect: { kind: 'next', type: 'current' },
}

const tide: readonly Card[] = [
  go('The Emperor calls', 39, "Go to Claw Emperor's Domain."),
  setSail('Fair winds home'),
  go('Down the eel run', 24, 'Go to Dragon Eel Caverns; take $200 if you pass Set Sail.'),
  go('Drift to the gardens', 11, 'Go to Raja Ampat Gardens; take $200 if you pass Set Sail.'),
  nextCurrent,
  nextCurrent,
  {
    title: 'Power surge',
    text: 'Go to the next utility. If it is owned, throw the dice and pay 10 times the throw.',
    effect: { kind: 'next', type: 'utility' },
  },
  take('Pearls in the sand', 50),
  escapeCard('A loose bar'),
  { title: 'Undertow', text: 'Go back 3 squares.', effect: { kind: 'back', steps: 3 } },
  pot('Smell of bait'),
  repairs('Storm season', 25, 100),
  pay('Barnacle fine', 15),
  go("Ride Poseidon's Current", 5, "Go to Poseidon's Current; take $200 if you pass Set Sail."),
  {
    title: 'Head of the shoal',
    text: 'Pay $50 to each other player.',
    effect: { kind: 'pay-each', amount: 50 },
  },
  take('The loan comes home', 150),
]

const chest: readonly Card[] = [
  setSail('A chart to harbour'),
  take("The counting crab's error", 200),
  pay('The cleaner shrimp', 50),
  take('Sale of sea glass', 50),
  escapeCard('A rusted key'),
  pot('A net in the wreck'),
  take('Shells put aside', 100),
  take('Tax returned', 20),
  {
    title: 'Moulting day',
    text: 'Take $10 from each other player.',
    effect: { kind: 'take-each', amount: 10 },
  },
  take('The policy matures', 100),
  pay('Sick bay', 100),
  pay('School of fish', 50),
  take('A word of advice', 25),
  repairs('Reef repairs', 40, 115),
  take('Second prize for claws', 10),
  take("A sunken uncle's will", 100),
]

/** Both decks: card n of the rules is at n − 1. */
export const cards: Readonly<Record<DeckName, readonly Card[]>> = { tide, chest }

/** Where a deck has its one escape card. */
export const escapeCardOf: Readonly<Record<DeckName, number>> = { tide: 8, chest: 4 }

export const deckNames: readonly DeckName[] = ['tide', 'chest']
