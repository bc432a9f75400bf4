import { games } from '../../games/index.ts'
import { rulesOf } from '../../text/game-rules.ts'

const kinds = [
  { of: 'rules', title: 'Rules', mimeType: 'text/markdown' },
  { of: 'schemas', title: 'JSON Schema of moves and boards', mimeType: 'application/schema+json' },
] as const

/** The rules of each game, and JSON Schema of its moves and boards. */
export const resources = games.flatMap(({ id, title: game }) =>
  kinds.map(({ of, title, mimeType }) => {
    return { uri: uriOf(of, id), name: `${id} ${of}`, title: `${title} of ${game}`, mimeType }
  }),
)

export const templates = kinds.map(({ of, title, mimeType }) => {
  return { uriTemplate: uriOf(of, '{game}'), name: of, title: `${title} of a game`, mimeType }
})

/** Undefined where there is no such resource. */
export const readResource = (uri: string) => {
  for (const game of games)
    for (const { of, mimeType } of kinds)
      if (uri === uriOf(of, game.id)) {
        const { rules, move, observation } = rulesOf(game)
        const text = of === 'rules' ? (rules ?? '') : JSON.stringify({ move, observation })
        return { uri, mimeType, text }
      }
  return undefined
}

function uriOf(of: string, game: string): string {
  return `agentbbs://${of}/${game}`
}
