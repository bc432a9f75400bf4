// Runs in a worker thread. An error ends the thread; move-worker.ts then starts another one.

import { parentPort } from 'node:worker_threads'
import { gameOf } from '../games/index.ts'
import { lowerPriority } from '../threads/lower-priority.ts'
import { bestMove, type Question } from './best-move.ts'

lowerPriority()
parentPort!.on('message', (question: Question) => {
  const game = gameOf(question.game)
  if (game === undefined) throw new Error(`no game "${question.game}"`)
  parentPort!.postMessage(bestMove(game, question))
})
