import { moveSchema, observationSchema } from '../arena/observation-schema.ts'
import type { CatalogueGame } from '../games/game.ts'
import { packageFile } from './package-file.ts'

/** All that an agent has to know of a game: its rules in Markdown, and its moves and observations in JSON Schema. */
export const rulesOf = (game: CatalogueGame) => ({
  rules: rulesText(game.id),
  move: moveSchema(game),
  observation: observationSchema(game),
})

/** The game's section of docs/games.md, without its heading; null if the file was left out of the package. */
export const manualOf = ({ id }: CatalogueGame): string | null => sectionOf(id)

const rulesText = (id: string): string | null => {
  const [, rules] = /^\*\*Rules\.\*\* (.*?)\n+\*\*/ms.exec(sectionOf(id) ?? '') ?? []
  if (rules === undefined) return null
  const [, other] = /^As (\w+),/.exec(rules) ?? []
  return other === undefined ? rules : `${rules}\n\nThe rules of ${other}: ${rulesText(other)}`
}

const sectionOf = (id: string): string | null => {
  sections ??= new Map(
    packageFile('docs/games.md')
      ?.split(/^(?=## )/m)
      .map(text => [text.slice(3).split(' ')[0]!, text.replace(/^.*\n+/, '').trim()]),
  )
  return sections.get(id) ?? null
}

let sections: ReadonlyMap<string, string> | undefined
