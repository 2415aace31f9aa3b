import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { environmentOf } from '../../support/service-process.js';

const MAIN = resolve(import.meta.dirname, '../../../dist/src/main.js');
/** Above the descriptors that Node marks itself. */
const INHERITED = 40;

describe('a start of the service', () => {
  it('closes the descriptors that it inherited, which would reach the MCP servers', async () => {
    const accepted: Socket[] = [];
    // A database that never answers keeps the service at its start.
    const database = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
    await once(database, 'listening');
    const folder = mkdtempSync(join(tmpdir(), 'awp-descriptors-'));
    const { port } = database.address() as AddressInfo;
    const stdio = Array.from({ length: INHERITED + 1 }, (_, at): 'pipe' | 'ignore' =>
      at === INHERITED ? 'pipe' : 'ignore',
    );
    const service = spawn(process.execPath, [MAIN], {
      env: environmentOf({ DATA_DIR: folder, DATABASE_URL: `postgres://awp@127.0.0.1:${port}/awp` }),
      stdio,
    });
    const ended = once(service, 'exit');
    const descriptor = (number: number) => `/proc/${service.pid}/fd/${number}`;
    await once(database, 'connection');
    expect([descriptor(2), descriptor(INHERITED)].map((path) => existsSync(path))).toEqual([true, false]);
    service.kill('SIGKILL');
    await ended;
    for (const socket of accepted) socket.destroy();
    database.close();
    rmSync(folder, { recursive: true });
  });
});
