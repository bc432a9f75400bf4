import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './assets.ts'

/** A document made by the build: HTML for its page, and text for the search. */
export interface Document {
  /** The path of the file in the package. */
  readonly path: string
  /** The address of its page. */
  readonly address: string
  readonly title: string
  readonly sections: readonly Section[]
}

/** A heading with its content, up to the next heading of any level. */
export interface Section {
  /** Empty if the file has no headings. */
  readonly heading: string
  readonly anchor: string
  /** The heading as HTML. */
  readonly head: string
  /** The content as HTML. */
  readonly body: string
  /** The heading and the content as plain text, for searches and excerpts. */
  readonly text: string
}

/** All documents of this version. `scripts/documents.ts` makes the file when the program is built. */
export const readDocuments = (file = join(packageRoot, 'dist', 'documents.json')) => {
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build`)
  const documents: readonly Document[] = JSON.parse(readFileSync(file, 'utf8'))
  return documents
}
