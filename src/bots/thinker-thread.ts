// Runs in a thread of its own. A fault in here is left to end the thread: thinker.ts sees it and starts another.

import { parentPort } from 'node:worker_threads'
import { gameOf } from '../games/index.ts'
import { bestMove, type Question } from './best-move.ts'

parentPort!.on('message', (question: Question) => {
  const game = gameOf(question.game)
  if (game === undefined) throw new Error(`no game "${question.game}"`)
  parentPort!.postMessage(bestMove(game, question))
})
