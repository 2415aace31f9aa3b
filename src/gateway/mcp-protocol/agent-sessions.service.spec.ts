import { expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { IDENTITY, PassThroughServer, SESSION_CAPABILITIES } from './agent-server-methods.service.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import type { SessionNews } from './session-relay.service.js';

type Given = ConstructorParameters<typeof AgentSessionsService>;

const agent = { type: 'agent', id: 'a', keyId: 'k' } as AgentPrincipal;

it('asks for what other processes have learnt of its sessions once it can hear again', async () => {
  const [missed, told] = [new Subject<void>(), [] as SessionNews[]];
  const relay = { missed, news: new Subject(), tell: async (news: SessionNews) => void told.push(news) };
  let made = 0;
  const given = [
    { serverFor: () => new PassThroughServer(IDENTITY, { capabilities: SESSION_CAPABILITIES }) },
    { answersFor: () => ({}), drop: () => undefined },
    { answersFor: () => ({}), drop: () => undefined },
    {},
    { issue: () => `session ${(made += 1)}` },
    {},
    relay,
    { mcpSessionIdleSeconds: 60, limits: { mcpSessionsPerAgent: 2, mcpFrameMaxBytes: 1_000 } },
  ] as unknown as Given;
  const sessions = new AgentSessionsService(...given);
  sessions.onApplicationBootstrap();
  const [used] = [await sessions.open(agent, {}, ''), await sessions.open(agent, {}, '')];
  void used.run(agent, 1, () => new Promise(() => undefined));
  missed.next();
  await new Promise(setImmediate);
  // The other one has no stream here, and asks when its client opens one.
  expect(told).toEqual([{ kind: 'streams', session: used.name }]);
  sessions.beforeApplicationShutdown();
});
