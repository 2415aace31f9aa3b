import type { Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { tryOut } from '../mcp/servers.js';
import type { LeaseHolder } from './lease-setting.js';
import type { Installed } from './mcp-setting.js';
import { modern, type WireAnswer } from './wire-call.js';

/** The calls of one lease until its end, by the mark that each call carries to the server. */
export interface Round {
  mark: string;
  isEnding: boolean;
  /** When the response of the request that ended the lease had arrived. */
  endedAt: number;
}

/** A call, and the moment after which it was sent to the server. */
interface SeenCall {
  mark: string;
  sentAfter: number;
}

/** Microseconds of the clock that the server reads too. */
export const now = () => Number(process.hrtime.bigint() / 1000n);

/** Calls again and again, at one process of the service, until a call is refused. */
export async function callUntilRefused(
  { caller }: LeaseHolder,
  { service, server, round }: { service: Service; server: Installed; round: Round },
): Promise<void> {
  for (;;) {
    const given = { name: `${server.slug}__work`, arguments: { mark: round.mark } };
    const answer = await modern(caller.at(service), 'tools/call', given);
    if (!isRefused(answer)) continue;
    if (!round.isEnding) throw new Error(`Refused before the end: ${answer.status} ${answer.text}`);
    return;
  }
}

/** Knows of each call when it was sent to the server that one process of the service runs, or a tools host for it. */
export class CallClock {
  readonly calls: SeenCall[] = [];
  private heard = 0;

  constructor(
    private readonly service: Service,
    private readonly server: Installed,
    private readonly hosts: readonly Service[] | null,
  ) {}

  /** Waits until a call that is sent to the server from now on is known to be. */
  async passes(moment: number): Promise<void> {
    await until(async () => {
      await this.look();
      return this.heard > moment;
    });
  }

  /** Reads the calls that have reached the server. */
  async look(): Promise<void> {
    const said = JSON.parse(await tryOut(this.service.owner, this.server, 'calls')) as {
      heard: number;
      calls: SeenCall[];
    };
    this.heard = said.heard;
    this.calls.push(...said.calls);
  }

  /** Waits until this number of calls is under way. */
  async untilUnderWay(count: number): Promise<void> {
    const processes = this.hosts ?? [this.service];
    await until(async () => {
      const counts = await Promise.all(processes.map(callsInFlight));
      return counts.reduce((sum, one) => sum + one, 0) >= count;
    });
  }
}

async function callsInFlight(service: Service): Promise<number> {
  const { text } = await service.owner.get('/metrics');
  return Number(/^awp_mcp_calls_in_flight (\d+)$/m.exec(text)?.[1]);
}

function isRefused({ status, message }: WireAnswer): boolean {
  return (
    status !== 200 || (message.result as unknown as { isError?: boolean } | undefined)?.isError !== undefined
  );
}
