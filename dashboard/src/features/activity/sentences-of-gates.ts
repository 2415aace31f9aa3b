import type { EventType } from '../../api/types';
import { issueIn, textOf, type Facts } from './data';
import { say, type Sentence } from './say';

type Sentences = Partial<Record<EventType, (facts: Facts) => Sentence>>;

const kinds: Record<string, string> = {
  approval: 'a request for approval',
  question: 'a question',
  budget: 'a question about a budget',
};

const gate = (facts: Facts): string => kinds[textOf(facts, 'kind') ?? ''] ?? 'a question';

/** Entries about what only a person can decide, and about budgets. */
export const sentencesOfGates: Sentences = {
  'gate.opened': (facts) => say`Opened ${gate(facts)}${place(facts)}`,
  'gate.answered': (facts) => say`Answered ${gate(facts)}${place(facts)}`,
  'gate.expired': (facts) => say`The time for ${gate(facts)}${place(facts)} ran out`,
  'gate.withdrawn': (facts) => say`Withdrew ${gate(facts)}${place(facts)}`,
  'gate.executed': (facts) => say`An approved tool call${place(facts)} was executed`,
  'budget.set': (facts) => say`Set the budget of ${owner(facts)}`,
  'budget.deleted': (facts) => say`Removed the budget of ${owner(facts)}`,
};

/** A gate of an agent has no issue. */
const place = (facts: Facts): Sentence => (facts.entry.issueId === null ? [] : say` on ${issueIn(facts)}`);

function owner(facts: Facts): string {
  const {
    entry: { subject },
    names,
  } = facts;
  if (subject.type === 'agent') return names.agent(subject.id) ?? 'an agent';
  if (subject.type === 'project') return names.project(subject.id) ?? 'a project';
  return issueIn(facts);
}
