import type { CalledService } from './caller.js';
import { hasNginx, Nginx } from './nginx.js';
import { until } from './until.js';

/** What the topology needs of a service that it consists of. */
interface Process<Self> extends CalledService {
  /** The address of the process itself. */
  readonly address: string;
  readonly dataDir: string;
  readonly log: string;
  second(settings: Record<string, string>): Promise<Self>;
  startProcess(settings: Record<string, string>): Promise<void>;
  stop(): Promise<unknown>;
}

/** A process, and what it is started with each time. */
interface Member<Service> {
  service: Service;
  settings: Record<string, string>;
}

/**
 * The processes of one installation whose work is divided by roles: two that answer requests behind nginx, two tools
 * hosts, and one for background work. All are on this machine, and each tools host has its own data folder.
 */
export class Topology<Service extends Process<Service>> {
  private constructor(
    /** The processes that answer requests. */
    readonly apis: readonly [Service, Service],
    readonly hosts: readonly [Service, Service],
    readonly worker: Service,
    readonly nginx: Nginx,
    private readonly members: Member<Service>[],
  ) {}

  /** Starts the other processes and nginx. `first` runs with the role api and TRUSTED_PROXIES=127.0.0.1. */
  static async around<Service extends Process<Service>>(
    first: Service,
    settings: Record<string, string> = {},
  ): Promise<Topology<Service>> {
    const others: Record<string, string>[] = [
      { ...settings, ROLE: 'api', DATA_DIR: first.dataDir },
      { ...settings, ROLE: 'tools', TOOLS_LISTEN: '127.0.0.1:0' },
      { ...settings, ROLE: 'tools', TOOLS_LISTEN: '127.0.0.1:0' },
      { ...settings, ROLE: 'worker', DATA_DIR: first.dataDir },
    ];
    const started = await Promise.all(others.map((one) => first.second(one)));
    const [api, one, other, worker] = started as unknown as [Service, Service, Service, Service];
    const members = [first, api, one, other, worker].map((service, at) => ({
      service,
      settings: placed(service, [{ ...settings, ROLE: 'api' }, ...others][at]!),
    }));
    const nginx = await Nginx.before(first, api);
    return new Topology([first, api], [one, other], worker, nginx, members);
  }

  /** All processes: those that answer requests, the tools hosts, and the one for background work. */
  get all(): Service[] {
    return this.members.map(({ service }) => service);
  }

  /** The first process at the address of nginx. */
  get front(): Service {
    return this.nginx.in(this.apis[0]);
  }

  /** Starts a process that has ended again, as its supervisor does: with the same settings and addresses. */
  async startAgain(service: Service): Promise<void> {
    await service.startProcess(this.members.find((member) => member.service === service)!.settings);
  }

  /** Starts the tools hosts again with further settings. */
  async restartHosts(settings: Record<string, string>): Promise<void> {
    for (const member of this.members.filter(({ service }) => this.hosts.includes(service))) {
      Object.assign(member.settings, settings);
      await member.service.stop();
      await this.startAgain(member.service);
    }
  }

  async startAllAgain(): Promise<void> {
    await Promise.all(this.all.map((service) => this.startAgain(service)));
  }

  /** Waits until nginx passes requests to a process that was away. */
  async isUsed(service: Service): Promise<void> {
    if (!this.apis.includes(service)) return;
    await until(async () => {
      const { text } = await service.owner.get('/metrics');
      return /_duration_seconds_count\{[^}]*route="\/(?:api|mcp)/.test(text);
    });
  }

  /** Stops nginx. The processes end with the first one. */
  stop(): Promise<void> {
    return this.nginx.stop();
  }
}

/** Whether this host can run the topology. */
export const hasTopology = hasNginx;

/** Settings with the addresses that the process has got. */
function placed(
  service: { address: string; log: string },
  settings: Record<string, string>,
): Record<string, string> {
  const tools = /of this tools host: (\S+)/.exec(service.log)?.[1];
  return { ...settings, PORT: new URL(service.address).port, ...(tools && { TOOLS_LISTEN: tools }) };
}
