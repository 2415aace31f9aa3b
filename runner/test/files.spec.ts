import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { Stop } from 'agent-work-platform-client/work-loop';
import { parseConfig } from '../src/config/config-file.js';
import { AcpDriver } from '../src/drivers/acp-driver.js';
import { Child } from '../src/processes/child.js';
import { RunLog } from '../src/run/run-log.js';
import type { Run } from '../src/run/run.js';
import { Workspace } from '../src/workspace/workspace.js';

const root = mkdtempSync(join(tmpdir(), 'awp-files-'));
const connect = { url: 'http://127.0.0.1:1/mcp', headers: {} };
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('gives an agent the files of the issue with the brief, and only later ones in the next turn', async () => {
  const command = [process.execPath, join(import.meta.dirname, 'scripted-agent.mjs')];
  const text = JSON.stringify({ url: 'http://127.0.0.1:1', agents: { bot: { key: '$KEY', acp: command } } });
  const config = parseConfig(text).agents['bot']!;
  const mark = `files-${process.pid}/`;
  const workspace = new Workspace({ root, name: 'bot', config }, 'A-1', mark);
  const stop = new Stop();
  await workspace.create(false, stop.now);
  const file = (name: string) => ({ id: `id-of-${name}`, filename: `${name}.txt`, downloadUrl: `/${name}` });
  const attached = [file('first'), { id: 'l', filename: 'awp-run-1.jsonl', downloadUrl: '/log' }];
  const turns = [['attachments'], []];
  const state = { sessionId: null, heard: [], pending: '', turns: 0, tokens: 0, costMicros: 0, reports: [] };
  const prompts: string[] = [];
  const log = new RunLog(join(root, 'log.jsonl'));
  log.write = (kind, data) => void (kind === 'prompt' && prompts.push(String(data)));
  const service = {
    attachments: () => Promise.resolve([...attached]),
    download: (path: string) => Promise.resolve(new Blob([`bytes of ${path}`]).stream()),
    issue: () => Promise.resolve({}),
    turn() {
      attached.push(file('later'));
      return Promise.resolve({ reason: null, newComments: [], changed: turns.shift(), answers: [] });
    },
  };
  const job = {
    item: { issueId: 'i', token: 1, brief: 'Read it.', issue: null, newComments: [], changed: [] },
    ...{ workspace, stop, mark, state, log, answers: [], setup: { config, service } },
    start: () => new Child({ command, cwd: workspace.folder, env: workspace.env, mark }),
    say: () => undefined,
    update: (change: object) => void Object.assign(state, change),
  } as unknown as Run;
  expect(await new AcpDriver(job, connect).work()).toMatchObject({ status: 'Resolved' });
  const pathsIn = (prompt = '') =>
    [...prompt.matchAll(/- (\S+\/\.awp\/files\/\S+)/g)].map(([, path]) => path!);
  const paths = prompts.map(pathsIn);
  expect(paths).toEqual([[expect.stringMatching(/-first\.txt$/)], [expect.stringMatching(/-later\.txt$/)]]);
  expect(paths.flat().map((path) => readFileSync(path, 'utf8'))).toEqual([
    'bytes of /first',
    'bytes of /later',
  ]);
});
