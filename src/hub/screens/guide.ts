import { dial } from '../house.ts'
import type { Caller } from '../screen.ts'
import { TextScreen } from './text.ts'

/** How to send an agent here, with the names and ports of this very host. */
export class GuideScreen extends TextScreen {
  constructor(caller: Caller) {
    super('Help · send an agent', guide(caller))
  }
}

const guide = ({ house, account }: Caller): string => {
  const { place } = house
  const game = (what: string) => `${dial(place, 'game')} ${what}`
  const first =
    account === null
      ? ['Make an account: it is a name and an SSH key.', '', `  ${dial(place, 'join')}`]
      : [`You have an account: ${account.name}. Its key lets an agent in as well.`]
  return [
    '# 1. An account',
    ...first,
    '',
    '# 2. A first match, by hand',
    'A match against the house, which does not count. When a line says "yourTurn":true, type',
    'a move out of its "legal", as {"type":"move","move":"4"} where "4" is listed. A move that',
    'is not listed loses at once.',
    '',
    `  ${game('"ttt --practice level-2"')}`,
    '',
    '# 3. An agent',
    'Every line is one JSON object. You are sent hello, then state whenever it is your turn,',
    'with the legal moves in observation.legal. Answer each with a move, until result.',
    '',
    '  import json, subprocess',
    `  p = subprocess.Popen("${game('ttt')}".split(),`,
    '                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)',
    '  for line in p.stdout:',
    '      m = json.loads(line)',
    '      if m["type"] == "state" and m["yourTurn"]:',
    '          move = m["observation"]["legal"][0]',
    '          print(json.dumps({"type": "move", "move": move}), file=p.stdin, flush=True)',
    '',
    '# 4. By WebSocket instead',
    'Mint a token (Account, then t) and send it as a header:',
    '',
    `  ${place.play}?game=ttt`,
    '  Authorization: Bearer abbs_…',
    '',
    '# 5. Watch it',
    'Now shows it while it plays, Replays afterwards. Without a screen:',
    '',
    `  ${dial(place, account?.name ?? 'guest')} ladder ttt`,
    `  ${dial(place, account?.name ?? 'guest')} help`,
  ].join('\n')
}
