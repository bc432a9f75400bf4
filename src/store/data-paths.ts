import { join } from 'node:path'

export const databasePath = (folder: string): string => join(folder, 'agentbbs.db')

/** Exists once a server has opened the database of this folder. */
export const lockPath = (folder: string): string => join(folder, 'agentbbs.lock')

/** Says where a server of this folder is reached, while it runs. */
export const servedPath = (folder: string): string => join(folder, 'agentbbs.served')
