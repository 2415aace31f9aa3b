import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Subject } from 'rxjs';
import { ProcessEventsService } from '../server-processes/process-events.service.js';
import { LiveHostsService } from '../tools-hosts/live-hosts.service.js';
import type { LiveHost } from '../tools-hosts/tools-host.entity.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts.client.js';

/** The events of server processes that concern the agents connected to other processes of this service. */
export const RELAYED_EVENTS = ['started', 'listChanged', 'resourceUpdated'] as const;

/** Brings the events of the server processes of every tools host into this process, for the agents connected to it. */
@Injectable()
export class HostEventsWorker implements OnApplicationBootstrap {
  private readonly followed = new Set<string>();

  constructor(
    private readonly hosts: LiveHostsService,
    private readonly client: ToolsHostsClient,
    private readonly events: ProcessEventsService,
  ) {}

  onApplicationBootstrap(): void {
    if (this.client.isNeeded) this.hosts.watch((live) => live.forEach((host) => void this.follow(host)));
  }

  private async follow(host: LiveHost): Promise<void> {
    if (this.followed.has(host.id)) return;
    this.followed.add(host.id);
    // It ends with its host, or is begun again after the next reading of the list.
    await this.client.askHost(host, 'events', null, { note: this.pass }).catch(() => undefined);
    this.followed.delete(host.id);
  }

  private readonly pass = (what: string, event: unknown): void => {
    const relayed = RELAYED_EVENTS.find((name) => name === what);
    if (relayed) (this.events[relayed] as Subject<unknown>).next(event);
  };
}
