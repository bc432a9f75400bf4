export type AccountId = number

export interface Account {
  readonly id: AccountId
  readonly name: string
  /** House players are ours: they sit in for practice and are never rated. */
  readonly kind: 'player' | 'house'
}
