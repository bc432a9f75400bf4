/** The data folder cannot be used as it is. The message is one line for the operator. */
export class DataFolderError extends Error {}
