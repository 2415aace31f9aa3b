import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../platform/config/load-settings.js';
import { processSettings } from './supervisor-sandbox-and-sweep.provider.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-hidden-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the settings of the processes of servers', () => {
  it('hide the key ring, the private key and the files of secrets', async () => {
    const secret = join(folder, 'database-url');
    writeFileSync(secret, 'postgres://awp:x@db/awp');
    const settings = loadSettings({
      // Such a process runs no server, so that no sandbox is probed.
      ROLE: 'api',
      DATABASE_URL_FILE: secret,
      ENCRYPTION_KEYRING_FILE: join(folder, 'ring.json'),
      ...{ TLS_CERT_FILE: join(folder, 'tls.crt'), TLS_KEY_FILE: join(folder, 'tls.key') },
    });
    const { hiddenPaths } = await processSettings(settings);
    expect(hiddenPaths).toEqual(['ring.json', 'tls.key', 'database-url'].map((name) => join(folder, name)));
  });
});
