import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { until } from '../../../test/support/until.js';
import type { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { ProcessEventsService } from '../../mcp/server-processes/supervisor-sandbox-and-sweep.provider.js';
import type { Settings } from '../../platform/config/settings.js';
import type { AgentSession } from './session-notices-and-questions.js';
import { SessionLogsService } from './session-logs.service.js';
import type { SessionRelayService } from './session-relay.service.js';

/** The logs of one session of the agent `a` at the level debug, with a right to servers that `mayUse` decides. */
async function listening(mayUse: () => boolean, agent: object = {}) {
  const logged = new Subject<{ serverId: string; scope: string; notice: object }>();
  let asked = 0;
  const access = {
    mayUse: async (_agent: string, slug: string) => {
      asked += 1;
      return { allowed: mayUse(), server: { slug } };
    },
  };
  const logs = new SessionLogsService(
    access as unknown as ToolAccessService,
    { logged } as unknown as ProcessEventsService,
    { tell: () => Promise.resolve() } as unknown as SessionRelayService,
    { limits: { mcpNotificationMaxBytes: 4_096 } } as Settings,
  );
  logs.onApplicationBootstrap();
  const told: unknown[] = [];
  const session = {
    agent: { id: 'a', toolsRequireLease: false, lease: null, ...agent },
    tellLogged: async (params: unknown) => void told.push(params),
  } as unknown as AgentSession;
  await logs.answersFor(session)['logging/setLevel']!(session.agent, { level: 'debug' }, {} as never);
  const log = (serverId: string, scope = 'a') =>
    logged.next({ serverId, scope, notice: { level: 'info', data: serverId } });
  return { told, log, asked: () => asked, end: () => logs.drop(session) };
}

describe('what a server logs', () => {
  it('is not passed on to an agent that may not use the server now', async () => {
    const { told, log, asked } = await listening(() => false);
    log('s');
    await until(() => asked() === 1);
    expect(told).toEqual([]);
  });

  it('is passed on in its order, each line by the right at its time', async () => {
    let left = 2;
    const { told, log, asked } = await listening(() => left-- > 0);
    for (const line of ['1', '2', '3']) log(line);
    await until(() => asked() === 3);
    await nextTurn();
    expect(told).toEqual(['1', '2'].map((line) => ({ level: 'info', logger: line, data: line })));
  });

  it('is not passed on while a hundred lines of the agent wait for the database', async () => {
    const { told, log, asked } = await listening(() => true);
    for (let line = 0; line < 150; line += 1) log(String(line));
    await until(() => told.length === 100);
    log('later');
    await until(() => told.length === 101);
    expect(asked()).toBe(101);
    expect(told.at(-1)).toMatchObject({ data: 'later' });
  });

  it('is not passed on from a shared process, that of another agent, or after the session', async () => {
    const { told, log, end } = await listening(() => true);
    log('shared', 'shared');
    log('other', 'b');
    log('own');
    await until(() => told.length === 1);
    end();
    log('own');
    await nextTurn();
    expect(told).toMatchObject([{ data: 'own' }]);
  });

  it('is not passed on to an agent that needs a lease for its servers and has none', async () => {
    const { told, log, asked } = await listening(() => true, { toolsRequireLease: true });
    log('s');
    expect([told, asked()]).toEqual([[], 0]);
  });
});
