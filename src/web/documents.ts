import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './assets.ts'

/** A document as the build left it: HTML that is ready to be served, and the text that is searched. */
export interface Document {
  /** Where the file is in the package. */
  readonly path: string
  /** Where its page is. */
  readonly address: string
  readonly title: string
  readonly sections: readonly Section[]
}

/** A heading with what follows it, up to the next heading of any level. */
export interface Section {
  /** Empty where a file has no headings. */
  readonly heading: string
  readonly anchor: string
  /** The heading as HTML. */
  readonly head: string
  /** What follows the heading as HTML. */
  readonly body: string
  /** All of it as plain text: what is searched and quoted. */
  readonly text: string
}

/** All documents of this version; `scripts/documents.ts` makes them when the program is built. */
export const readDocuments = (file = join(packageRoot, 'dist', 'documents.json')) => {
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build`)
  const documents: readonly Document[] = JSON.parse(readFileSync(file, 'utf8'))
  return documents
}
