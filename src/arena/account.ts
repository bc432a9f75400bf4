export type AccountId = number

export interface Account {
  readonly id: AccountId
  readonly name: string
  /** House players are built into the host: they play practice matches and are never rated. */
  readonly kind: 'player' | 'house'
}
