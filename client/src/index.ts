export { AgentError } from './agent-error.ts'
export type { Games, Json, Listing, Move, Observation } from './games.ts'
export type { Hello, Result, Turn } from './messages.ts'
export { type Play, play } from './play.ts'
