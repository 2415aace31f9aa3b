import { describe, expect, it } from 'vitest';
import { indexOf } from '../../shared/mcp/effective-access';
import { at, edit, index, matrix, type Change } from './access.fixture';
import { sentencesOf } from './changes-bar';
import { edited, noEdits, noGrant } from './grants';

const say = (...all: Change[]) =>
  sentencesOf(matrix, index, edit(...all)).map(
    ({ who, verb, server, end }) => `${who} ${verb} ${server}${end}`,
  );

describe('the sentence of an edit', () => {
  it.each<[Change, string]>([
    [['a', 't', 'all'], 'Backend coder gets all tools of Slack.'],
    [['a', 's', 'all'], 'Backend coder is widened to all 22 tools of GitHub.'],
    [['a', 's', 'none'], 'Backend coder loses GitHub at its next call.'],
    [['b', 's', 'none'], 'Triage has GitHub only by its profiles.'],
    [['b', 's', ['read']], 'Triage is narrowed to 1 of 22 tools of GitHub.'],
    [['b', 't', ['post']], 'Triage gets 1 tool of Slack.'],
    [['b', 's', 'refused'], 'Triage is refused GitHub, whatever its profiles give.'],
    [['c', 's', 'none'], 'Docs editor has GitHub only by its profiles.'],
    [['c', 's', 'all'], 'Docs editor gets all 22 tools of GitHub.'],
    [
      ['a', 's', ['read', 'write']],
      'Backend coder gets other tools: 2 of 22 tools of GitHub (+ write, − search).',
    ],
    [
      ['a', 's', ['v', 'w', 'x', 'y']],
      'Backend coder gets other tools: 4 of 22 tools of GitHub (4 added, 2 removed).',
    ],
    [
      ['a', 't', 'all', 'writes'],
      'Backend coder gets all tools of Slack and asks an Editor before each call that may change something.',
    ],
    [['b', 's', 'all', ['push'], 'Admin'], 'Triage asks an Admin before calls of 1 tool of GitHub (push).'],
    [
      ['b', 's', 'all', 'writes'],
      'Triage asks an Editor before each call of GitHub that may change something.',
    ],
    [['b', 's', 'all', null, 'Editor', 'team'], 'Triage uses the credentials team of GitHub.'],
    [
      ['a', 't', 'all', null, 'Editor', 'team'],
      'Backend coder gets all tools of Slack with the credentials team.',
    ],
    [['w', 's', 'all'], 'Writers is widened to all 22 tools of GitHub.'],
    [['w', 's', 'none'], 'Writers no longer gives GitHub.'],
    [
      ['w', 't', ['post', 'pin'], 'writes', 'Editor', 'team'],
      'Writers gives other tools: 2 tools of Slack (+ pin) and asks an Editor before each call that may change something.',
    ],
  ])('of %j', (change, sentence) => {
    expect(say(change)).toEqual([sentence]);
  });

  it('says that an agent without a profile is no longer refused', () => {
    const refused = indexOf(matrix, []);
    const edits = edited(refused, noEdits, at('c', 's'), noGrant);
    expect(sentencesOf(matrix, refused, edits)).toMatchObject([{ verb: 'is no longer refused', end: '.' }]);
  });
});
