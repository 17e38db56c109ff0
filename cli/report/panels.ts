import { colors } from './colors.js'

/** A line of a panel: what it is called, and where its number stands in a line of the file. */
export interface Series {
  readonly name: string
  readonly path: string
  readonly color?: string
}

export type PanelStage = 'reinforcement' | 'rewardModel' | 'supervised'

/** The stages of a run, in the order in which somebody asks, and their titles. */
export const panelStages: readonly (readonly [stage: PanelStage, title: string])[] = [
  ['reinforcement', 'Reinforcement'],
  ['rewardModel', 'Reward model'],
  ['supervised', 'Warm start'],
]

/** A small chart of what a run was watched by. A series that no line has is left out; a panel without any, too. */
export interface Panel {
  readonly title: string
  readonly unit: string
  /** What it shows and how to read it. */
  readonly says: string
  readonly stage: PanelStage
  readonly series: readonly Series[] | { readonly each: string }
  /** Around the first series: so much below and above, or from here to there. */
  readonly band?: { readonly spread: string } | { readonly low: string; readonly high: string }
  readonly fromZero?: boolean
  /** Whether the held-out questions are marked: their mean and its standard error, answered greedily. */
  readonly heldOut?: string
}

const one = (name: string, path: string): readonly Series[] => [{ name, path }]

/** In the order in which somebody asks. */
export const panels: readonly Panel[] = [
  {
    ...{ title: 'Reward', unit: '', stage: 'reinforcement', fromZero: true, heldOut: 'reward' },
    says: 'Mean of a step’s answers; the band is one standard deviation within groups to each side. Rings: held-out questions, greedy, ± standard error.',
    series: one('reward', 'reward.mean'),
    band: { spread: 'groups.std' },
  },
  {
    ...{ title: 'Parts of the reward', unit: '', stage: 'reinforcement', fromZero: true },
    says: 'Each by its name in the task, whether it is paid or not.',
    series: { each: 'rewardParts' },
  },
  {
    ...{ title: 'KL to the reference', unit: 'nats a token', stage: 'reinforcement', fromZero: true },
    says: 'How far the policy is from where the reinforcement began. A steep rise comes before a collapse.',
    series: one('KL', 'update.numbers.refKl'),
  },
  {
    ...{ title: 'KL to the sampling policy', unit: 'nats a token', stage: 'reinforcement', fromZero: true },
    says: 'How far the updates of a step went from the policy that its answers were drawn from.',
    series: [
      { name: 'mean', path: 'update.numbers.oldKl' },
      { name: 'at the last update', path: 'update.drift' },
    ],
  },
  {
    ...{ title: 'Entropy', unit: 'nats a token', stage: 'reinforcement', fromZero: true },
    says: 'How undecided the policy is. Near 0 all answers of a group are the same, and nothing is learnt.',
    series: [
      { name: 'all tokens', path: 'update.numbers.entropy' },
      { name: 'memory', path: 'memoryEntropy' },
    ],
  },
  {
    ...{ title: 'Clip fraction', unit: 'of tokens', stage: 'reinforcement', fromZero: true },
    says: 'Tokens whose gradient the clip cut off: their ratio left the band in the direction that was paid.',
    series: [
      { name: 'above', path: 'update.numbers.highClipFraction' },
      { name: 'below', path: 'update.numbers.lowClipFraction' },
    ],
  },
  {
    ...{ title: 'Ratio', unit: '', stage: 'reinforcement' },
    says: 'π(token) over what it was drawn with: mean, and from the least to the greatest.',
    series: one('mean', 'update.numbers.ratioMean'),
    band: { low: 'update.numbers.ratioLeast', high: 'update.numbers.ratioGreatest' },
  },
  {
    ...{ title: 'Gradient norm', unit: '', stage: 'reinforcement', fromZero: true },
    says: 'Before it is clipped.',
    series: one('|g|', 'update.numbers.gradNorm'),
  },
  {
    ...{ title: 'Loss', unit: '', stage: 'reinforcement' },
    says: 'Of a policy-gradient loss the value says little: watch the reward. It is the policy’s and β·KL, and a critic’s where there is one.',
    series: [
      { name: 'loss', path: 'update.numbers.loss' },
      { name: 'policy', path: 'update.numbers.policyLoss' },
      { name: 'KL', path: 'update.numbers.klLoss' },
    ],
  },
  {
    ...{ title: 'Rewards of pairs', unit: '', stage: 'reinforcement', fromZero: true },
    says: 'β·log π/π_ref of the chosen response and of the rejected one: what DPO takes for their rewards, and how far the first is above.',
    series: [
      { name: 'chosen', path: 'update.numbers.chosenReward' },
      { name: 'rejected', path: 'update.numbers.rejectedReward' },
      { name: 'margin', path: 'update.numbers.margin' },
    ],
  },
  {
    ...{ title: 'Accuracy of pairs', unit: 'of pairs', stage: 'reinforcement', fromZero: true },
    says: 'Pairs whose chosen response has the greater of these rewards; a tie is none.',
    series: one('accuracy', 'update.numbers.accuracy'),
  },
  {
    ...{ title: 'What a memory is worth', unit: 'probability', stage: 'reinforcement', fromZero: true },
    says: 'How likely the policy finds the answer after its memory alone, and after what the memory is compared with.',
    series: [
      { name: 'memory', path: 'memory.probability' },
      { name: 'baseline', path: 'memory.baseline' },
    ],
  },
  {
    ...{ title: 'Reader of the history', unit: 'of what it gives away', stage: 'reinforcement', fromZero: true },
    says: 'What the policy reads off a whole history, where that is the baseline. Below a half, the memory reward measures the reader.',
    series: one('reader', 'memory.reader'),
  },
  {
    ...{ title: 'Memory reward', unit: '', stage: 'reinforcement', fromZero: true },
    says: 'The first less the second; the band is one standard deviation to each side.',
    series: one('memory reward', 'memory.reward.mean'),
    band: { spread: 'memory.reward.std' },
  },
  {
    ...{ title: 'Advantage by kind of token', unit: '', stage: 'reinforcement', fromZero: true },
    says: 'Mean over the tokens that the policy wrote.',
    series: { each: 'advantage.byKind' },
  },
  {
    ...{ title: 'Groups', unit: 'of groups', stage: 'reinforcement', fromZero: true },
    says: 'Groups whose answers all earned the same give no gradient.',
    series: one('without variance', 'groups.withoutVariance'),
  },
  {
    ...{ title: 'Tokens written', unit: 'a trajectory', stage: 'reinforcement', fromZero: true },
    says: 'By the policy, over all turns; and in a turn that writes a memory, those that write it.',
    series: [
      { name: 'mean', path: 'written.mean' },
      { name: 'greatest', path: 'written.greatest', color: colors.grey },
      { name: 'memory', path: 'written.memory', color: colors.orange },
    ],
  },
  {
    ...{ title: 'Tokens read', unit: '', stage: 'reinforcement', fromZero: true },
    says: 'Contexts of a trajectory, at each turn anew; and the longest context with its answer.',
    series: [
      { name: 'read', path: 'read.mean' },
      { name: 'peak context', path: 'read.peak' },
    ],
  },
  {
    ...{ title: 'Turns', unit: 'a trajectory', stage: 'reinforcement', fromZero: true },
    says: 'How often the policy was asked.',
    series: one('turns', 'turns'),
  },
  {
    ...{ title: 'Loss of the warm start', unit: 'nats a token', stage: 'supervised', fromZero: true },
    says: 'Cross-entropy of what the task’s oracle says.',
    series: one('loss', 'loss'),
  },
  {
    ...{ title: 'Gradient norm of the warm start', unit: '', stage: 'supervised', fromZero: true },
    says: 'Before it is clipped.',
    series: one('|g|', 'gradNorm'),
  },
  {
    ...{ title: 'Loss of the reward model', unit: 'nats a pair', stage: 'rewardModel', fromZero: true },
    says: 'Bradley and Terry’s: log 2 where it prefers neither answer of a pair.',
    series: one('loss', 'loss'),
  },
  {
    ...{ title: 'Pairs judged right', unit: 'of pairs', stage: 'rewardModel', fromZero: true },
    says: 'Pairs whose better answer it scores higher. At a half it knows nothing.',
    series: one('right', 'right'),
  },
  {
    ...{ title: 'Margin of the reward model', unit: 'score', stage: 'rewardModel', fromZero: true },
    says: 'The score of the better answer less that of the worse, mean over the pairs.',
    series: one('margin', 'margin'),
  },
  {
    ...{ title: 'Gradient norm of the reward model', unit: '', stage: 'rewardModel', fromZero: true },
    says: 'Before it is clipped.',
    series: one('|g|', 'gradNorm'),
  },
]
