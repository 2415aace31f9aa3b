import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';

/** What the supervisor has to tell. It is made before those who act on it, so they subscribe here. */
@Injectable()
export class ProcessNews {
  /** A server crashed too often to be started again by itself. */
  readonly crashLimit = new Subject<{ serverId: string; reason: string }>();
  /** A resource that was subscribed to has changed; `uri` is the server's own. */
  readonly resourceUpdated = new Subject<{ serverId: string; scope: string; uri: string }>();
  /** A server was started anew, or says that one of its lists has changed. */
  readonly listChanged = new Subject<{ serverId: string; what: 'tools' | 'prompts' | 'resources' }>();
}
