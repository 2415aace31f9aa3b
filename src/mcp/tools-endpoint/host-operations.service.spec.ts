import { expect, it } from '@jest/globals';
import type { ServedRequest } from '../tools-hosts/host-request.js';
import { ProcessEventsService } from '../server-processes/supervisor-sandbox-and-sweep.provider.js';
import { HostOperationsService } from './host-operations.service.js';

type Given = ConstructorParameters<typeof HostOperationsService>;

it('tells a process that begins to follow it which servers run already, and what happens until it is gone', async () => {
  const events = new ProcessEventsService();
  const supervisor = { live: () => [{ serverId: 'one' }] };
  const given = [...Array.from({ length: 9 }, () => ({})), events, supervisor] as unknown as Given;
  const [abort, notes] = [new AbortController(), [] as unknown[]];
  const request = {
    signal: abort.signal,
    note: (what: string, event: unknown) => notes.push([what, event]),
  } as unknown as ServedRequest;
  const followed = new HostOperationsService(...given).run('events', null, request);
  events.started.next({ serverId: 'other' });
  abort.abort();
  await followed;
  events.started.next({ serverId: 'after' });
  expect(notes).toEqual([
    ['started', { serverId: 'one' }],
    ['started', { serverId: 'other' }],
  ]);
});
