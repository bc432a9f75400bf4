import type { Dice } from '../../games/dice.ts'
import type { Game, Json, Seat } from '../../games/game.ts'

interface DebatePosition {
  readonly topic: string
  readonly messages: readonly { readonly seat: Seat; readonly content: string }[]
}

/**
 * A message made of templates: it says what can be said for or against nearly anything, and says of itself that it does. The
 * turn decides what it is about, so that no two messages of a match are alike; the dice choose the words. From two nodes
 * on it answers the last message first.
 */
export const debateMove = (
  _game: Game,
  state: unknown,
  seat: Seat,
  nodes: number,
  dice: Dice,
): Json => {
  const { topic, messages } = state as DebatePosition
  const claim = topic.replace(/[.!?]$/, '')
  const spoken = messages.filter(message => message.seat === seat).length
  const last = messages.findLast(message => message.seat !== seat)?.content
  const answer = nodes > 1 && spoken > 0 && last !== undefined ? `${answerTo(last, dice)} ` : ''
  const side = seat === 0 ? 0 : 1
  const body =
    spoken === 0
      ? openings[side](claim)
      : spoken >= mostSpoken - 1
        ? closings[side](claim)
        : // Two debaters made of templates should not go through the same themes side by side.
          dice.pick(themes[(spoken - 1 + side * 4) % themes.length]![side])
  return { action: 'message', content: answer + body.replaceAll('CLAIM', () => claim) }
}

/** Messages of one side in a match. */
const mostSpoken = 10

type Opening = (claim: string) => string

const honest =
  'I am a house player, and to be honest about it: a program that fills in templates. I have no opinion, and I understand nothing of what you write.'

const openings: readonly [Opening, Opening] = [
  claim =>
    `I argue for: “${claim}”. ${honest} Still, what I say can be weighed. I shall ask who gains, what it costs, and what happens if all stays as it is.`,
  claim =>
    `I argue against: “${claim}”. ${honest} Still, what I say can be weighed. I shall ask who pays, what could go wrong, and whether a smaller step would do.`,
]

const closings: readonly [Opening, Opening] = [
  claim =>
    `To close: the case for “${claim}” rests on many small gains, on costs that come once, and on a present that is worse than it looks. A program of templates can only set out the shape of an argument; you who vote fill it with what you know. I ask for your vote.`,
  claim =>
    `To close: the case against “${claim}” rests on who pays, on what cannot be undone, and on smaller steps that have not been tried. A program of templates can only set out the shape of an argument; you who vote fill it with what you know. I ask for your vote.`,
]

type Lines = readonly [string, ...string[]]

/** What can be said for nearly anything, and against it. */
const themes: readonly (readonly [Lines, Lines])[] = [
  [
    [
      'First, who gains. The good of it reaches many people a little, every day. Such gains are easily overlooked, because no one celebrates them. Added up they are the larger sum.',
      'Consider who gains. It is not a few with loud voices, but many who never asked, because they did not know that they could. A count would favour them.',
    ],
    [
      'First, who pays. Those who would bear the cost are not those who propose it. A plan whose price is paid by others deserves a second look before it deserves applause.',
      'Consider who pays. Every such plan has a bill, and it goes to the people who have the least time to read it. Where is that in the count?',
    ],
  ],
  [
    [
      'Second, the cost. What it costs comes once, at the beginning, when all can see it. What it brings comes every year after that. To compare the first year alone is to stop counting too early.',
      'As for the cost: it is known, it is limited, and it ends. The cost of doing nothing is none of these.',
    ],
    [
      'Second, the cost. Its friends name the price of the first day. But things have to be kept up, watched and repaired, and that price has no last day.',
      'As for the cost: estimates of new things are made by people who want them. Take the estimate, double it, and ask whether it still sounds good.',
    ],
  ],
  [
    [
      'Third, freedom. A rule or a habit that widens what most people can do is a gain of freedom, even where it takes some convenience from a few.',
      'Some will call it a loss of freedom. Yet freedom is what one can really do, and more people could do more. The motion “CLAIM” passes that test.',
    ],
    [
      'Third, freedom. People differ, and a single answer for all of them fits most of them badly. Leave the choice where the knowledge is: with each of them.',
      'Some will call it progress. But to be led to the better by force, or by praise, is still to be led. The motion “CLAIM” leaves too little room for those who see it otherwise.',
    ],
  ],
  [
    [
      'Next, the years to come. Many good things looked strange in their first year and obvious in their tenth. Judge this one as if you already lived in its tenth year.',
      'Look further ahead. Those who come after us will ask why we waited, and “it was more comfortable” is a weak reply.',
    ],
    [
      'Next, the years to come. A thing that is hard to undo should be done last and not first. Once this is done, who takes it back?',
      'Look further ahead. Enthusiasm lasts a season, and the arrangement stays. Someone has to live with it when the speeches are forgotten.',
    ],
  ],
  [
    [
      'Then there is fairness. The present state is not neutral: it, too, favours some over others. To change nothing is to choose them again each day.',
      'On fairness: ask whether you would take the present arrangement if you did not know which place in it is yours. I think that few would.',
    ],
    [
      'Then there is fairness. Like cases should be treated alike, and the motion draws its line at a place for which I have heard no reason.',
      'On fairness: it is easy to be generous with what others have built. They should at least be asked, and I see no sign that they have been.',
    ],
  ],
  [
    [
      'A word on evidence. No one can prove a future, but the burden is shared: who defends the present has to show that it works, and not only that it is familiar.',
      'What of the evidence? Small trials can be made, and can be stopped. That is how to learn. To refuse the trial is to refuse the evidence.',
    ],
    [
      'A word on evidence. Who asks for change carries the burden of proof. Good intentions are no proof, and neither is a striking example.',
      'What of the evidence? A single success in a single place, under the eyes of its friends, says little about all other places and days.',
    ],
  ],
  [
    [
      'It will be said that people would find ways around it. Some will. We do not give up doors because there are windows.',
      'It will be said that it is not practical. So it was said of most things that we now do without a thought. Practice follows will.',
    ],
    [
      'In practice people find ways around such things, and then those alone are bound who are honest. A good plan does not punish honesty.',
      'In practice someone has to decide the hard cases, and there will be many. The motion “CLAIM” says nothing about who that is.',
    ],
  ],
  [
    [
      'A smaller step, you may say, would do. Smaller steps have been taken for years, and here we are, still debating it.',
      'You may prefer half of it. Half of a bridge, however, is not half as useful as a bridge.',
    ],
    [
      'There is a smaller step that brings most of the gain at a part of the price. As long as that has not been tried, the large step is a matter of taste.',
      'Try it first in one place, with an end that is fixed beforehand. If it is as good as they say, the rest follows by itself. The motion skips that part.',
    ],
  ],
]

/** Level 2 takes up the longest sentence of the last message that can be quoted whole, or the beginning of its first. */
const answerTo = (message: string, dice: Dice): string => {
  const sentences = message
    .replace(/[“”"]/gu, '')
    .split(/[.!?\n]+/u)
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '')
  const [first] = sentences
  if (first === undefined) return dice.pick(plainAnswers)
  const whole = sentences.filter(sentence => sentence.length <= longestQuote)
  const quoted = whole.reduce(
    (longest, next) => (next.length > longest.length ? next : longest),
    whole[0] ?? `${[...first].slice(0, longestQuote).join('')}…`,
  )
  return dice.pick(answers).replace('QUOTED', () => quoted)
}

/** In characters. */
const longestQuote = 80

const answers: Lines = [
  'You say: “QUOTED”. Even if that is so, it settles less than it seems to.',
  'To your words “QUOTED” I reply that they name one side of the account and leave out the other.',
  '“QUOTED” – that may hold in some cases. The question is what holds in most of them.',
  'I take your point “QUOTED” seriously, and ask what follows from it: rather little, I think.',
]

const plainAnswers: Lines = [
  'I have read your message, and my case stands.',
  'Your message changes nothing in mine.',
]
