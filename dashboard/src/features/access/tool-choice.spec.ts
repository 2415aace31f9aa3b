import { describe, expect, it } from 'vitest';
import { choiceOf, type ToolChoice, withChoice } from './grant-choices';
import type { Extent, Grant } from './grants';

const read = { name: 'read', annotations: { readOnlyHint: true } };
const write = { name: 'write', annotations: null };
const odd = { name: 'odd', annotations: { readOnlyHint: 'true' } };
const tools = [read, write, odd];
const grant = (has: Extent, ask: Grant['ask'] = null): Grant => ({
  has,
  ask,
  approver: 'Editor',
  set: 'default',
});
const choices = (one: Grant) => tools.map((tool) => choiceOf(one, tool)).join(' ');

describe('the choice of a tool', () => {
  it.each<[Extent, Grant['ask'], string]>([
    ['none', 'writes', 'off off off'],
    ['refused', null, 'off off off'],
    ['all', null, 'allow allow allow'],
    ['all', 'writes', 'allow ask ask'],
    [['read', 'write'], ['write', 'odd'], 'allow ask off'],
  ])('with %j and ask %j is %s', (has, ask, words) => {
    expect(choices(grant(has, ask))).toBe(words);
  });
});

describe('a tool that is chosen otherwise', () => {
  it.each<[Grant, typeof read | typeof write, ToolChoice, Grant]>([
    [grant('all'), write, 'ask', grant('all', ['write'])],
    [grant('all'), write, 'off', grant(['read', 'odd'])],
    [grant('all', ['write']), write, 'allow', grant('all')],
    [grant('all', ['write', 'odd']), write, 'off', grant(['read', 'odd'], ['odd'])],
    [grant(['read'], 'writes'), write, 'ask', grant(['read', 'write'], 'writes')],
    [grant('all', 'writes'), write, 'off', grant(['read', 'odd'], 'writes')],
    [grant('all', 'writes'), write, 'allow', grant('all', ['odd'])],
    [grant('all', 'writes'), read, 'ask', grant('all', ['read', 'write', 'odd'])],
    [grant('all', 'writes'), write, 'ask', grant('all', 'writes')],
  ])('makes %j, %j, %s to %j', (before, tool, choice, after) => {
    expect(withChoice(before, tools, tool, choice)).toEqual(after);
  });
});
