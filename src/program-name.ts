/**
 * What to type to run this program, for instructions: `agentbbs` where it is installed; in a clone cmd/agentbbs, which
 * sets the variable, as it was typed.
 */
export const programName = (): string => process.env.AGENTBBS_PROGRAM || 'agentbbs'
