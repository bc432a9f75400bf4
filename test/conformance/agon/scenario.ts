import type { Stage } from './stage.ts'

/** A piece of play that needs some agents for itself. Its checks go to the report under its name. */
export interface Scenario {
  readonly name: string
  readonly agents: number
  /** Runs while no other scenario does, so that it can count what is in a room. */
  readonly alone?: true
  /** Runs after the others, when the agents have earned points. */
  readonly late?: true
  run(stage: Stage): Promise<void>
}
