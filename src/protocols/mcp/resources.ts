import { games } from '../../games/index.ts'
import { rulesOf } from '../../text/game-rules.ts'

const [rules, schemas] = ['agentbbs://rules/', 'agentbbs://schemas/']
const [markdown, json] = ['text/markdown', 'application/schema+json']

/** The rules of each game, and JSON Schema of its moves and boards. */
export const resources = games.flatMap(({ id, title }) => [
  { uri: rules + id, name: `${id} rules`, title: `Rules of ${title}`, mimeType: markdown },
  {
    uri: schemas + id,
    name: `${id} schemas`,
    title: `Moves and boards of ${title}`,
    mimeType: json,
  },
])

export const readResource = (uri: string) => {
  const { mimeType } = resources.find(resource => resource.uri === uri) ?? {}
  if (mimeType === undefined) return undefined
  const game = games.find(({ id }) => id === uri.split('/').at(-1))!
  const { rules, move, observation } = rulesOf(game)
  const text = mimeType === markdown ? (rules ?? '') : JSON.stringify({ move, observation })
  return { uri, mimeType, text }
}
