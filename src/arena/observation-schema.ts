import { type CatalogueGame, listsMoves, seatRange } from '../games/game.ts'
import { about, always, either, record, type Schema, whole } from '../games/schema.ts'
import { takesOpenings } from './opening.ts'

const draft = { $schema: 'https://json-schema.org/draft/2020-12/schema' }

/** A move of this game in JSON Schema. Some moves that it allows are illegal, as the position says. */
export const moveSchema = ({ schema, title }: CatalogueGame): Schema => ({
  ...draft,
  title: `A move of ${title}`,
  ...schema.move,
})

/** An observation of this game in JSON Schema: of a seat, of a spectator, or of a replay. */
export const observationSchema = (
  game: CatalogueGame,
  viewer: 'seat' | 'audience' | 'replay' = 'seat',
): Schema => {
  const { title, schema } = game
  const own = viewer === 'audience' ? {} : schema[viewer]
  const fields = { ...schema.view, ...own, toMove: toMove(game), ...legal(game), ...opening(game) }
  return {
    ...draft,
    title: `An observation of ${title}`,
    ...record(fields, [...(schema.optional ?? []), 'legal', 'opening']),
  }
}

const toMove = (game: CatalogueGame): Schema => {
  const seat = whole(0, seatRange(game).max - 1)
  if (game.facts.turns === 'alternate')
    return about(
      'The player to move, counted from 0; -1 when none is: the match is over, or its audience votes.',
      {
        ...seat,
        minimum: -1,
      },
    )
  const all = { type: 'array', items: seat, minItems: 1, uniqueItems: true }
  return about(
    'The players that owe a move, counted from 0; -1 when the match is over.',
    either(all, always(-1)),
  )
}

const legal = (game: CatalogueGame) =>
  listsMoves(game) && {
    legal: about(
      game.moves === undefined
        ? 'Legal moves of the player to move. Others are accepted where they cannot be listed, such as offers of trades. Left out on blind ladders.'
        : 'The legal moves of the player to move: no other is accepted. Left out on blind ladders.',
      {
        type: 'array',
        items: game.schema.move,
        uniqueItems: true,
      },
    ),
  }

const opening = (game: CatalogueGame) =>
  takesOpenings(game) && {
    opening: about('The moves with which the match began, where it has an opening.', {
      type: 'array',
      items: game.schema.move,
    }),
  }
