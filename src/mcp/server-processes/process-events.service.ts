import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { StartedServer } from '../processes/supervision/supervisor-settings.js';

/** Compares the tools that the start of a server listed with the approved ones, and stores the result. */
export type ToolComparison = (server: StartedServer, tools: unknown[]) => Promise<void>;

/** Events of the supervisor. It is created before the services that act on its events, so they subscribe here. */
@Injectable()
export class ProcessEventsService {
  /** A server crashed too often to be restarted automatically. */
  readonly crashLimit = new Subject<{ serverId: string; credentialSetId: string; reason: string }>();
  /** A subscribed resource has changed; `uri` is the server's own. */
  readonly resourceUpdated = new Subject<{ serverId: string; scope: string; uri: string }>();
  /** A server takes calls after a start; its prompts, resources and subscriptions may be others than before. */
  readonly started = new Subject<{ serverId: string }>();
  /** A server reports that one of its lists has changed. */
  readonly listChanged = new Subject<{ serverId: string; what: 'tools' | 'prompts' | 'resources' }>();
  /** Runs before the first call of every start. A start without a comparison fails. */
  compare: ToolComparison = () => Promise.reject(new Error('No service compares the tools of a start.'));
}
