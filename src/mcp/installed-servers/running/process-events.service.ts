import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';

/** Events of the supervisor. It is created before the services that act on its events, so they subscribe here. */
@Injectable()
export class ProcessEventsService {
  /** A server crashed too often to be restarted automatically. */
  readonly crashLimit = new Subject<{ serverId: string; reason: string }>();
  /** A subscribed resource has changed; `uri` is the server's own. */
  readonly resourceUpdated = new Subject<{ serverId: string; scope: string; uri: string }>();
  /** A server was restarted, or reports that one of its lists has changed. */
  readonly listChanged = new Subject<{ serverId: string; what: 'tools' | 'prompts' | 'resources' }>();
}
