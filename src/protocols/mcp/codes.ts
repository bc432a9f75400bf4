/** How this protocol refuses requests itself, by code. docs/mcp.md lists them. */
export const ownRefusals = {
  'foreign-origin': {
    status: 403,
    detail: 'a page of another site has sent this: programs leave out the header Origin',
  },
  batch: { status: 400, detail: 'send each message in a request of its own' },
  'no-such-path': { status: 404, detail: 'the Model Context Protocol is at /mcp' },
} as const

export type OwnCode = keyof typeof ownRefusals
