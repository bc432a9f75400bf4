/** The size of a long test: small for `npm test`, large in CI. */
export const effort = <T>({ usual, ci }: { usual: T; ci: T }): T =>
  process.env.CI === 'true' ? ci : usual
