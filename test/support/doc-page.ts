import { readFileSync } from 'node:fs'

/** A page of docs/, for tests that hold it against the code: its blocks of a language, and the rows of its tables. */
export const docPage = (name: string) => {
  const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  return {
    blocks: (language: string) =>
      [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
        .filter(([, given]) => given === language)
        .map(([, , text]) => text!),
    rows: [...page.matchAll(/^\| +(.*?) +\|$/gm)].map(([, row]) => row!.split(/ +\| +/)),
  }
}
