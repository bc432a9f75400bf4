// A reader without a model: it is given the address of a text and a name, and does what the text says. It knows how to find
// requests, tables and words in capitals in a text, and nothing of what they are about.
//
// node skill-reader.mjs ADDRESS NAME

const [address, name] = process.argv.slice(2)
const text = await (await fetch(address)).text()

/** The requests that the text shows, in its order: a method and a path, headers, an empty line, a body. */
const requests = [...text.matchAll(/^```http\n(\w+) (\S+)\n(.*?)\n\n(.*?)\n```$/gms)].map(
  ([, method, path, headers, body]) => ({ method, path, headers: headers.split('\n'), body }),
)
/** The rows of all tables, by what is quoted in their first cell. */
const rows = new Map(
  [...text.matchAll(/^\| (`.*?) +\| (.*?) +\|$/gm)].flatMap(([, first, second]) =>
    quotedIn(first).map(word => [word, second]),
  ),
)
/** All answers, the newest first. */
const answers = []

function quotedIn(cell) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word)
}

/** The value of a word in capitals, as its row says: a field of an answer, one of a field, or a choice of its own. */
function valueFor(word) {
  const row = rows.get(word)
  if (row === undefined) throw new Error(`the text does not say what ${word} is`)
  if (/of your choice/.test(row)) return name
  const [field] = quotedIn(row)
  const value = answers.find(answer => field in answer)?.[field]
  if (value === undefined) throw new Error(`no answer had ${field}, for ${word}`)
  return /^one of/.test(row) ? value[Math.floor(Math.random() * value.length)] : value
}

const filled = part =>
  part.replace(/\b[A-Z]{3,}\b/g, word => (rows.has(word) ? valueFor(word) : word))

async function send({ method, path, headers, body }) {
  const response = await fetch(new URL(path, address), {
    method,
    headers: headers.map(line => filled(line).split(': ')),
    body: filled(body),
  })
  const answer = await response.json()
  answers.unshift(answer)
  process.stdout.write(`${JSON.stringify({ path, http: response.status, answer })}\n`)
  return answer
}

/** What the table says of this answer: the first request that it names. */
const following = ({ status }) => {
  const [verb] = quotedIn(rows.get(status) ?? '')
  return requests.find(({ path }) => path.endsWith(`/${verb}`))
}

const named = new Set([...rows.values()].flatMap(quotedIn))
for (const request of requests) {
  // Those are sent when an answer asks for them.
  if (named.has(request.path.replace(/^.*\//, ''))) continue
  for (let answer = await send(request); ; ) {
    const next = following(answer)
    if (next === undefined) break
    answer = await send(next)
  }
}
