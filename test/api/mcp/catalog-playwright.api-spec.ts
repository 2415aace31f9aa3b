import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { useService } from '../../support/service.js';
import { aServer, tryOut, verify } from './servers.js';

const service = useService();

/** The real package from the npm registry, and the Chromium of Debian on this host. */
const full = process.env.TEST_SIZE === 'full' && existsSync('/usr/lib/chromium/chromium') ? it : it.skip;

describe('the catalogue entry of Playwright', () => {
  full(
    "opens pages in Debian's Chromium without any setting, by the program itself and by its script",
    async () => {
      for (const envValues of [{}, { PLAYWRIGHT_MCP_EXECUTABLE_PATH: '/usr/bin/chromium' }]) {
        const server = await aServer(service.owner, 'playwright', { envValues });
        expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok' });
        const url = 'data:text/html,<title>A page</title><h1>Opened in the sandbox</h1>';
        const opened = await tryOut(service.owner, server, 'browser_navigate', { url });
        expect(opened).toMatch(/Page Title: A page/);
        expect(await tryOut(service.owner, server, 'browser_snapshot')).toContain('Opened in the sandbox');
        await service.owner.delete(`/api/mcp/installed/${server.id}`);
      }
    },
    240_000,
  );
});
