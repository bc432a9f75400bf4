// The board of Clawpoly: 40 squares and their figures.

export type Group =
  | 'Sandy Shore'
  | 'Coastal Waters'
  | 'Coral Gardens'
  | 'Tropical Seas'
  | 'Volcanic Depths'
  | 'Sunlit Expanse'
  | 'The Deep'
  | "Emperor's Realm"

type Named = { readonly index: number; readonly name: string }

/** What is the same of every square that can be owned. */
type Deed = Named & {
  readonly price: number
  readonly mortgage: number
  /** What lifts the mortgage: 110 % of it, rounded up. */
  readonly unmortgage: number
}

export type Property = Deed & {
  readonly type: 'property'
  readonly group: Group
  /** By level: bare, 1 to 4 outposts, a fortress. */
  readonly rent: readonly [number, number, number, number, number, number]
  readonly outpost: number
  readonly fortress: number
}

type Current = Deed & { readonly type: 'current' }
type Utility = Deed & { readonly type: 'utility' }

export type Ownable = Property | Current | Utility

export type Square =
  | Ownable
  | (Named & { readonly type: 'tax'; readonly tax: number })
  | (Named & { readonly type: 'special' | 'tide_card' | 'treasure_chest' })

export const potSquare = 10
export const netSquare = 30
export const boardSize = 40

export const setSailBonus = 200
export const potFee = 50

/** The toll of a current by how many of them its owner has. */
export const tolls = [25, 50, 100, 200] as const
/** What the dice are multiplied by, by how many utilities the owner has. */
export const utilityFactors = [4, 10] as const

const deed = (price: number) => {
  const mortgage = price / 2
  // In whole numbers: 30 × 1.1 is more than 33 in binary fractions.
  return { price, mortgage, unmortgage: Math.ceil((mortgage * 11) / 10) }
}

type Rent = Property['rent']
type Unplaced = Omit<Property, 'index'> | Omit<Current, 'index'> | Omit<Utility, 'index'>

const property =
  (group: Group, outpost: number) =>
  (name: string, price: number, ...rent: Rent): Unplaced => ({
    name,
    type: 'property',
    group,
    ...deed(price),
    rent,
    outpost,
    fortress: 5 * outpost,
  })

const sandy = property('Sandy Shore', 100)
const coastal = property('Coastal Waters', 100)
const coral = property('Coral Gardens', 150)
const tropical = property('Tropical Seas', 150)
const volcanic = property('Volcanic Depths', 200)
const sunlit = property('Sunlit Expanse', 200)
const deep = property('The Deep', 300)
const realm = property("Emperor's Realm", 300)

const current = (name: string): Unplaced => ({ name, type: 'current', ...deed(200) })
const utility = (name: string): Unplaced => ({ name, type: 'utility', ...deed(150) })
const tax = (name: string, tax: number) => ({ name, type: 'tax' as const, tax })
const special = (name: string) => ({ name, type: 'special' as const })
const tide = { name: 'Tide Card', type: 'tide_card' as const }
const chest = { name: 'Treasure Chest', type: 'treasure_chest' as const }

const unplaced = [
  special('Set Sail'),
  sandy('Tidal Pool Flats', 60, 2, 10, 30, 90, 160, 250),
  chest,
  sandy('Mangrove Shallows', 60, 4, 20, 60, 180, 320, 450),
  tax('Fishing Tax', 200),
  current("Poseidon's Current"),
  coastal('Ningaloo Reef', 100, 6, 30, 90, 270, 400, 550),
  tide,
  coastal('Red Sea Reef', 100, 6, 30, 90, 270, 400, 550),
  coastal('Belize Barrier Reef', 120, 8, 40, 100, 300, 450, 600),
  special('Lobster Pot / Just Visiting'),
  coral('Raja Ampat Gardens', 140, 10, 50, 150, 450, 625, 750),
  utility('Electric Eel Power'),
  coral('Coral Triangle', 140, 10, 50, 150, 450, 625, 750),
  coral('Tubbataha Reef', 160, 12, 60, 180, 500, 700, 900),
  current('Maelstrom Express'),
  tropical('Maldives Atolls', 180, 14, 70, 200, 550, 750, 950),
  chest,
  tropical('Seychelles Bank', 180, 14, 70, 200, 550, 750, 950),
  tropical('Galapagos Reserve', 200, 16, 80, 220, 600, 800, 1000),
  special('Anchor Bay'),
  volcanic('Hydrothermal Vents', 220, 18, 90, 250, 700, 875, 1050),
  tide,
  volcanic('Volcanic Abyss', 220, 18, 90, 250, 700, 875, 1050),
  volcanic('Dragon Eel Caverns', 240, 20, 100, 300, 750, 925, 1100),
  current('Charybdis Passage'),
  sunlit('Sargasso Sea', 260, 22, 110, 330, 800, 975, 1150),
  sunlit('Palau Sanctuary', 260, 22, 110, 330, 800, 975, 1150),
  utility('Tidal Generator'),
  sunlit('Chagos Archipelago', 280, 24, 120, 360, 850, 1025, 1200),
  special('Caught in the Net!'),
  deep("Abyssal Kraken's Lair", 300, 26, 130, 390, 900, 1100, 1275),
  deep("Serpent's Trench", 300, 26, 130, 390, 900, 1100, 1275),
  chest,
  deep('The Sunken Citadel', 320, 28, 150, 450, 1000, 1200, 1400),
  current('Abyssal Drift'),
  tide,
  realm("Leviathan's Throne", 350, 35, 175, 500, 1100, 1300, 1500),
  tax('Pearl Tax', 100),
  realm("Claw Emperor's Domain", 400, 50, 200, 600, 1400, 1700, 2000),
]

export const board: readonly Square[] = unplaced.map((square, index) => ({ index, ...square }))

export const isOwnable = (square: Square): square is Ownable =>
  square.type === 'property' || square.type === 'current' || square.type === 'utility'

/** The squares that can be owned, in the order of the board. */
export const ownables: readonly Ownable[] = board.filter(isOwnable)

const propertiesOf = (group: Group): readonly number[] =>
  board.flatMap(square =>
    square.type === 'property' && square.group === group ? square.index : [],
  )

/** The squares of each colour. */
export const groups: Readonly<Record<Group, readonly number[]>> = {
  'Sandy Shore': propertiesOf('Sandy Shore'),
  'Coastal Waters': propertiesOf('Coastal Waters'),
  'Coral Gardens': propertiesOf('Coral Gardens'),
  'Tropical Seas': propertiesOf('Tropical Seas'),
  'Volcanic Depths': propertiesOf('Volcanic Depths'),
  'Sunlit Expanse': propertiesOf('Sunlit Expanse'),
  'The Deep': propertiesOf('The Deep'),
  "Emperor's Realm": propertiesOf("Emperor's Realm"),
}

export const currents: readonly number[] = [5, 15, 25, 35]
export const utilities: readonly number[] = [12, 28]

/** The property of this index; null for any other square and any other number. */
export const propertyAt = (index: number): Property | null => {
  const square = board[index]
  return square?.type === 'property' ? square : null
}

/** The square of this index that can be owned; null for any other. */
export const ownableAt = (index: number): Ownable | null => {
  const square = board[index]
  return square !== undefined && isOwnable(square) ? square : null
}

/** What the bank pays for all buildings of a square: half of what they cost. */
export const halfCost = ({ outpost, fortress }: Property, level: number): number =>
  (level === 5 ? 4 * outpost + fortress : level * outpost) / 2
