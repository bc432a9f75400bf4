export const initialRating = 1500
const k = 32

/**
 * Elo, pairwise over the places: each pair of seats is a match of its own with K divided by the number of
 * opponents, so the changes sum to zero and for two seats this is the plain formula.
 */
export const ratingChanges = (
  places: readonly number[],
  ratings: readonly number[],
): readonly number[] =>
  places.map((place, seat) => {
    let change = 0
    for (let other = 0; other < places.length; other++) {
      if (other === seat) continue
      const score = place < places[other]! ? 1 : place === places[other] ? 0.5 : 0
      const expected = 1 / (1 + 10 ** ((ratings[other]! - ratings[seat]!) / 400))
      change += (k / (places.length - 1)) * (score - expected)
    }
    return change
  })
