// The processes of a bench ask each other questions over node's own channel.

/** What a process answers, by the name of the question. */
export type Answers = { readonly [question: string]: (about: never) => unknown }

export interface Question {
  readonly id: number
  readonly question: string
  readonly about: unknown
}

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string }

/** Answers the parent process from here on. */
export const answerParent = (answers: Answers): void => {
  process.on('message', async ({ id, question, about }: Question) => {
    const reply: Reply = await Promise.resolve()
      .then(() => answers[question]!(about as never))
      .then(
        answer => ({ id, answer }),
        (error: Error) => ({ id, error: error.message }),
      )
    process.send!(reply)
  })
  process.on('disconnect', () => process.exit())
}
