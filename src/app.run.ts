import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { endOnSignals } from './app.shutdown.js';
import { CatalogFault } from './mcp/catalog/catalog.errors.js';
import { BootstrapOwner, type NewOwner } from './platform/auth/bootstrap-owner.js';
import { loadSettings, SettingsFault } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { openDatabaseServer, type DatabaseServer } from './platform/database/database-server.js';
import { migrate } from './platform/database/migrate.js';
import { Encryption } from './platform/encryption/encryption.service.js';
import { KEY_CHECK_STORE, type KeyCheckStore } from './platform/encryption/key-proof.js';
import { KeyRingFault } from './platform/encryption/key-ring.errors.js';
import { PublicAddress } from './platform/http/public-address.js';

/** EX_CONFIG: the operator has to change something before a start can succeed. */
const EXIT_CONFIG = 78;

/** A fault that the operator can mend; its message says how. */
class StartFault extends Error {}

const tell = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the service: settings, database, migrations, key ring, Owner, then it listens. */
export async function runService(): Promise<void> {
  surviveLostOutput();
  let database: DatabaseServer | null = null;
  try {
    const settings = loadSettings();
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
    database = await openDatabase(settings);
    await migrate(database.url);
    const app = await createApp(settings, database.url);
    endOnSignals(app, database);
    await start(app, settings);
  } catch (fault) {
    await database?.stop();
    endWith(fault);
  }
}

/** Node ends a process whose output can't be written: its disk is full, or its reader is gone. */
function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** What goes wrong here is the operator's to mend, so the sentence is all that is shown. */
async function openDatabase(settings: Settings): Promise<DatabaseServer> {
  try {
    return await openDatabaseServer({ ...settings, log: tell });
  } catch (fault) {
    throw new StartFault(fault instanceof Error ? fault.message : String(fault));
  }
}

async function start(app: NestExpressApplication, settings: Settings): Promise<void> {
  await app.init();
  await app.get(Encryption).unlock(app.get<KeyCheckStore>(KEY_CHECK_STORE, { strict: false }));
  const owner = await app.get(BootstrapOwner).makeIfNone();
  await app.listen(settings.port, settings.host);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  const address = settings.publicUrl ?? `${settings.tls ? 'https' : 'http'}://${host}:${port}`;
  app.get(PublicAddress).url = address;
  tell(`Agent Work Platform is ready at ${address}`);
  tell(`Swagger UI: ${address}/api/docs`);
  if (owner) tellOwner(owner);
}

/** Shown once on the terminal, never logged. */
function tellOwner({ email, password, apiKey }: NewOwner): void {
  tell(`\nThis is the first start. The Owner is ${email}; this is shown once:`);
  tell(password ? `  password: ${password}` : '  password: as set in BOOTSTRAP_OWNER_PASSWORD');
  tell(apiKey ? `  API key:  ${apiKey}` : '  API key:  as set in BOOTSTRAP_OWNER_API_KEY');
}

function endWith(fault: unknown): never {
  const isConfiguration =
    fault instanceof SettingsFault || fault instanceof KeyRingFault || fault instanceof CatalogFault;
  const text = isConfiguration || fault instanceof StartFault ? fault.message : inspect(fault);
  process.stderr.write(`The service did not start. ${text}\n`);
  process.exit(isConfiguration ? EXIT_CONFIG : 1);
}
