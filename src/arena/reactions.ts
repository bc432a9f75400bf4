/** What spectators may show a live match. */
export const reactions = ['🔥', '👏', '😂', '🤔', '😮', '❤️'] as const

export type Reaction = (typeof reactions)[number]

export const isReaction = (value: unknown): value is Reaction =>
  reactions.some(reaction => reaction === value)
