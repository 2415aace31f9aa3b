import { once } from 'node:events';
import { connect } from 'node:tls';
import { modern } from '../api/gateway/wire-call.js';
import { until } from '../support/until.js';
import { allSent } from './end-of-day.js';
import type { Scene } from './scene.js';

const NO_FAILURE = /^(2\d\d|409)\b/;
/** The days until the certificate ends that the service shows to a new connection. */
async function daysOfCertificate({ address }: { address: string }): Promise<number> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { valid_to: end } = socket.getPeerCertificate();
  socket.destroy();
  return (Date.parse(end) - Date.now()) / 86_400_000;
}

const CUT_OFF = /^(2\d\d|409|503)\b|^no connection$/;

export const scenesAround: Scene[] = [
  {
    name: 'data-folder-full',
    does: 'The disk of the data folder is filled, and space is freed again.',
    cause: ({ disk }) => disk.fill(),
    remedy: async ({ disk }) => disk.clear(),
    notices: {
      alerts: ['AwpDiskNearlyFull', 'AwpNotReady'],
      readyz: /^503 .*"dataFolder":"full"/,
    },
    metrics: ['awp_disk_free_bytes'],
  },
  {
    name: 'certificate',
    does: 'The certificate is about to end. A renewal replaces one of its two files, and then both.',
    cause: async (world) => {
      await world.writeCertificate(5);
      await until(async () => (await daysOfCertificate(world.service)) < 6);
      await world.writeCertificate(90, ['certificate']);
    },
    remedy: (world) => world.writeCertificate(90),
    notices: { alerts: ['AwpCertificateExpires'], log: /TLS certificate stays as it was/ },
    metrics: ['awp_tls_certificate_expiry_timestamp_seconds'],
    outcomes: NO_FAILURE,
    lasts: 12,
  },
  {
    name: 'object-store',
    does: 'The object store is stopped, and started again.',
    cause: ({ store }) => store.stop(),
    remedy: async ({ store }) => void (await store.start()),
    notices: { alerts: ['AwpAttachmentStoreErrors'], clients: /^503/ },
    metrics: ['awp_attachment_store_errors_total'],
    remain: ['AwpAttachmentStoreErrors'],
  },
  {
    name: 'names',
    does: 'The name service does not answer, and the connections to the database end. Then it answers again.',
    cause: async ({ names, address }) => {
      names.mode = 'silent';
      await address.giveBack();
    },
    remedy: async ({ names }) => {
      names.mode = 'answers';
    },
    act: 'looks',
    notices: {
      alerts: ['AwpDatabaseUnreachable'],
      readyz: /^503 .*"database":"unreachable"/,
      log: /the host name .* was not resolved/,
      clients: /^503/,
      page: /The database does not respond/,
    },
    lasts: 20,
  },
  {
    name: 'name-of-a-receiver',
    does: 'The name of the receiver of webhooks is gone (NXDOMAIN), and is back. The connections to the database stay.',
    cause: async ({ names, target }) => {
      names.mode = 'denies';
      target.dropConnections();
    },
    remedy: async ({ names }) => {
      names.mode = 'answers';
    },
    notices: { rises: 'awp_webhook_attempts_total{result="failed"}' },
    metrics: ['awp_webhook_attempts_total', 'awp_webhook_deliveries_waiting'],
    outcomes: NO_FAILURE,
    check: async ({ target, workload }) => allSent(target, workload.ledger),
  },
  {
    name: 'clock',
    does: 'The clock of the host goes 6 hours ahead, and is put back.',
    cause: async (world) => world.moveClock(6),
    remedy: async (world) => world.moveClock(0),
    notices: { alerts: ['AwpClockSkew'] },
    metrics: ['awp_clock_offset_seconds'],
    // An object store refuses the one signature with which its client notices that the clock was put back.
    lasts: 10,
  },
  {
    name: 'killed',
    does: 'The kernel kills the service for lack of memory, and its supervisor starts it again.',
    cause: ({ service }) => service.kill(),
    remedy: async ({ service }) => void (await service.start()),
    act: 'looks',
    notices: {
      page: /cannot be reached|Reconnecting/,
      alerts: ['AwpProcessDown', 'AwpNoProcess'],
      readyz: /^no connection$/,
      clients: /^no connection$/,
    },
    outcomes: CUT_OFF,
  },
  {
    name: 'server-without-memory',
    does: 'An MCP server takes more memory than MCP_PROCESS_MEMORY_MB, and is used again.',
    cause: async ({ agent, eater }) => {
      for (let call = 0; call < 2; call += 1)
        await modern(agent, 'tools/call', { name: `${eater.slug}__eat`, arguments: { megabytes: 400 } });
    },
    remedy: async () => undefined,
    notices: { alerts: ['AwpToolCallsFail'], log: /Was stopped .* MiB of memory/ },
    metrics: ['awp_tool_calls_total'],
    remain: ['AwpToolCallsFail'],
    check: async ({ agent, eater }) => {
      const { message, text } = await modern(agent, 'tools/call', {
        name: `${eater.slug}__echo`,
        arguments: {},
      });
      return message['result']?.isError === undefined && message['result']
        ? []
        : [`The server does not work again: ${text}`];
    },
  },
];
