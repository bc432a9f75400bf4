import { Option } from 'commander'
import { trf } from '../../events/trf.ts'
import { type CommandContext, command, Failure } from '../../queries/command.ts'
import { eventNamed } from '../../queries/known-event.ts'
import { withStore } from '../../queries/with-store.ts'
import { eventRecord } from '../../record/event-record.ts'
import { jsonText } from '../../record/json-text.ts'
import { eventPgn } from '../../store/event-export.ts'
import type { Tables } from '../../store/store.ts'

export const exportEvent = (context: CommandContext) =>
  command(
    'export',
    'Print an event for other programs.',
    'agentbbs event export spring-cup',
    'agentbbs event export spring-cup --format trf > spring-cup.trf',
  )
    .argument('<event>', 'the name of the event')
    .addOption(
      new Option(
        '--format <format>',
        'json: all of it; trf: the report of FIDE, of a Swiss or round robin; pgn: all matches of chess; log: its entries, as NDJSON',
      )
        .choices(formats)
        .default('json'),
    )
    .action((id: string, { format, json }: { format: Format; json?: true }) =>
      withStore(context, async store => {
        const pieces = piecesOf(store, id, json ? 'json' : format)
        await context.stream(pieces, 0)
      }),
    )

const formats = ['json', 'trf', 'pgn', 'log'] as const
type Format = (typeof formats)[number]

const piecesOf = (store: Tables, id: string, format: Format): (() => Iterable<string>) => {
  const state = eventNamed(store, id)
  const { plan } = state
  switch (format) {
    case 'json': {
      const record = eventRecord(state, store.events.boardMatches(plan.id))
      return () => [`${jsonText(record, 2)}\n`]
    }
    case 'log':
      return () => store.events.read(plan.id).map(entry => `${jsonText(entry)}\n`)
    case 'pgn': {
      const pieces = eventPgn(store, state, 'AgentBBS')
      if (pieces === null)
        throw new Failure(`${plan.id} is an event of ${plan.game}, which has no PGN`)
      return pieces
    }
    case 'trf': {
      const text = trf(state)
      if (text === null)
        throw new Failure(
          state.startedAt === null
            ? `${plan.id} has not begun`
            : 'a TRF is of a Swiss or a round robin of pairs',
        )
      return () => [text]
    }
  }
}
