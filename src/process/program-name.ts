/**
 * The command that runs this program, for instructions: `agentbbs` where it is installed. In a clone it is the path of
 * cmd/agentbbs as it was typed; that script sets the variable.
 */
export const programName = (): string => process.env.AGENTBBS_PROGRAM || 'agentbbs'
