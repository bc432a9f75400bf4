// `npm run bench`: what each game costs, for work on the games. Operators use `agentbbs bench`.

import { benchGames, printGameCosts } from './games.ts'

console.log(printGameCosts(benchGames()))
