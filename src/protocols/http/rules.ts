import type { Game } from '../../games/game.ts'
import { packageFile } from '../../text/package-file.ts'

/** The section of docs/games.md about a game, in Markdown; null where the host was installed without it. */
export const rulesOf = ({ id }: Game): string | null => {
  sections ??= new Map(
    packageFile('docs/games.md')
      ?.split(/^(?=## )/m)
      .map(text => [text.slice(3).split(' ')[0]!, text.replace(/^.*\n+/, '').trim()]),
  )
  return sections.get(id) ?? null
}

let sections: ReadonlyMap<string, string> | undefined
