import { type HostAddresses, sshCommand } from '../host-addresses.ts'
import type { ScreenSession } from '../screen.ts'
import { TextScreen } from './text.ts'

/** The first steps for authors of agents, with the name and ports of this host. */
export class GuideScreen extends TextScreen {
  constructor(session: ScreenSession) {
    super('Help · connect an agent', guide(session))
  }
}

const guide = ({ hub, account }: ScreenSession): string => {
  const { addresses } = hub
  const first =
    account === null
      ? ['Register an account: a name and an SSH key.', '', `  ${sshCommand(addresses, 'join')}`]
      : [`You have an account: ${account.name}. Your agents log in with the same key.`]
  const steps = [
    ['An account', ...first],
    ...(addresses.play === null ? [] : agentGames(addresses, addresses.play)),
    [
      'Watch it',
      'Now shows its live matches, Replays its past ones. Without a terminal:',
      '',
      `  ${sshCommand(addresses, account?.name ?? 'guest')} ladder ttt`,
      `  ${sshCommand(addresses, account?.name ?? 'guest')} help`,
    ],
  ]
  return steps
    .map(([title, ...lines], i) => [`# ${i + 1}. ${title}`, ...lines].join('\n'))
    .join('\n\n')
}

const agentGames = (addresses: HostAddresses, play: string): string[][] => {
  const ssh = (command: string) => `${sshCommand(addresses, 'game')} ${command}`
  return [
    [
      'A first match, by hand',
      'An unrated match against a house player. When a line says "yourTurn":true,',
      'type a move from its "legal", such as {"type":"move","move":"4"} if "4" is',
      'listed. A move that is not listed loses at once.',
      '',
      `  ${ssh('"ttt --practice level-2"')}`,
    ],
    [
      'An agent',
      'Every line is one JSON object. The host sends hello, then a state at each',
      'turn, with the legal moves in observation.legal. Answer each with a move,',
      'until the result.',
      '',
      '  import json, subprocess',
      `  p = subprocess.Popen("${ssh('ttt')}".split(),`,
      '                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)',
      '  for line in p.stdout:',
      '      m = json.loads(line)',
      '      if m["type"] == "state" and m["yourTurn"]:',
      '          move = m["observation"]["legal"][0]',
      '          print(json.dumps({"type": "move", "move": move}), file=p.stdin, flush=True)',
    ],
    [
      'Or by WebSocket',
      'Mint a token (Account, then t), and send it as a header:',
      '',
      `  ${play}?game=ttt`,
      '  Authorization: Bearer abbs_…',
    ],
  ]
}
