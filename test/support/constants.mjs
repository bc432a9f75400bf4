// Loaded into the server before its program (node --import): gives constants of src/constants.ts other values, handed as
// JSON after the `?` of its own URL. Plain JavaScript, because the server runs as it was built, and what is for tests is
// not built.

const { constants } = await import(new URL('../../dist/src/constants.js', import.meta.url))

const change = (constants, given) => {
  for (const [name, value] of Object.entries(given)) {
    if (typeof constants[name] !== typeof value)
      throw new Error(`${name}=${JSON.stringify(value)}: src/constants.ts has no such constant`)
    if (typeof value === 'object') change(constants[name], value)
    else constants[name] = value
  }
}
change(constants, JSON.parse(decodeURIComponent(new URL(import.meta.url).search.slice(1))))
