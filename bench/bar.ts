/** A figure that a host must not exceed. */
export interface Bar {
  readonly figure: string
  readonly value: number
  readonly most: number
  readonly met: boolean
  /** A lower value to work for, where there is one. */
  readonly aim: number | null
}

export const bar = (
  figure: string,
  value: number,
  most: number,
  aim: number | null = null,
): Bar => ({
  ...{ figure, value, most, aim },
  met: value <= most,
})
