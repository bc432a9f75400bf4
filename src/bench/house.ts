import { httpHouse } from '../testing/http-house.ts'
import { answerParent } from './question.ts'
import { usage } from './usage.ts'

const house = await httpHouse({ queueWait: 3_600_000, moveTimeout: 15_000 })
answerParent({
  ...usage,
  register: (names: readonly string[]) => {
    for (const name of names) house.register(name)
    return { port: house.port, tokens: names }
  },
})
