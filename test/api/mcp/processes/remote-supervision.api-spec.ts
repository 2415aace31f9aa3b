import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { legacyServer } from '../../../support/mcp-servers/remote.js';
import { aDataDir, aRemote } from './fake-servers.js';
import { aSupervisor, call, shutDownAll } from './supervisors.js';

const data = aDataDir();
afterEach(shutDownAll);
afterAll(data.drop);

describe('remote servers', () => {
  it('are initialized again when they forgot the session, and the call is repeated', async () => {
    const remote = await legacyServer();
    const supervisor = aSupervisor(data.path, { allowedHosts: [remote.host] });
    const server = aRemote('http', remote.url);
    expect(await call(supervisor, server, 'echo', { value: 'one' })).toBe('one');
    remote.sessions.clear();
    expect(await call(supervisor, server, 'echo', { value: 'two' })).toBe('two');
    await supervisor.shutdown();
    await remote.close();
  });

  it('that refuse the credentials are distinguished from those that are down', async () => {
    const remote = await legacyServer();
    const supervisor = aSupervisor(data.path, { allowedHosts: [remote.host] });
    await expect(call(supervisor, aRemote('http', remote.url, 'bad-key'), 'echo')).rejects.toMatchObject({
      kind: 'credentials_refused',
    });
    await remote.close();
    await expect(call(supervisor, aRemote('http', remote.url), 'echo')).rejects.toMatchObject({
      kind: 'start_failed',
    });
  });
});
