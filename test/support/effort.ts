/** How much a long test does: enough to notice a break at `npm test`, and as much as is asked for in CI. */
export const effort = <T>({ usual, ci }: { usual: T; ci: T }): T =>
  process.env.CI === 'true' ? ci : usual
