import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ToolAccess } from '../../../mcp/access/tool-access.js';
import { ProcessNews } from '../../../mcp/installed-servers/running/process-news.js';
import { JournalNotices } from '../../../platform/journal/journal-notices.js';
import { Audience } from './audience.js';
import { JournalNews } from './journal-news.js';
import { fingerprintOf, type ListFingerprint } from './list-fingerprint.js';

/** Also where no notice came through. */
const POLL_MS = 1_000;

/** Keys also end by themselves, at their time. */
const KEY_CHECK_MS = 30_000;

/** What the journal tells beside that changes nobody's lists. */
const CHANGES_NO_LIST = /^key\.|^mcp\.tool\.called$|^mcp\.catalog\.|^agent\.created$/;

/** An agent that is about to listen is not forgotten before it does. */
const GRACE_MS = 10_000;

/**
 * Tells agents that are connected when their lists have changed (spec §7): after a grant, a revoke, a change of
 * a server, of its approved tools, of the agent, a halt. Whatever it was stands in the journal; then each
 * agent's lists are compared with what they were, so that nobody hears of what concerns others only. It is a
 * hint and no more: every list and every call reads for itself what is allowed.
 *
 * It sleeps while nobody listens: `awake` is null then, and nothing is asked of the database.
 */
@Injectable()
export class ListWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ListWatch.name);
  private readonly known = new Map<string, ListFingerprint & { since: number }>();
  private awake: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private polling = false;
  private again = false;
  private joining = 0;
  private keysChecked = 0;
  private ended = false;

  constructor(
    private readonly access: ToolAccess,
    private readonly journal: JournalNews,
    private readonly audience: Audience,
    private readonly processes: ProcessNews,
    private readonly notices: JournalNotices,
  ) {}

  onApplicationBootstrap(): void {
    this.processes.listChanged.subscribe(({ serverId, what }) => {
      if (what !== 'tools') this.tellUsersOf(serverId, what);
    });
    this.notices.heard.subscribe(() => this.pollNow());
  }

  beforeApplicationShutdown(): void {
    this.ended = true;
  }

  /** From now on the agent is told of changes, for as long as it listens. To be called before it can ask for a list. */
  async follow(agentId: string): Promise<void> {
    const known = this.known.get(agentId);
    if (known) known.since = Date.now();
    else await this.join(agentId);
  }

  private async join(agentId: string): Promise<void> {
    this.joining += 1;
    try {
      this.awake ??= this.wake();
      await this.awake;
      this.known.set(agentId, { ...(await this.look(agentId)), since: Date.now() });
    } finally {
      this.joining -= 1;
    }
  }

  private async wake(): Promise<void> {
    try {
      await this.journal.begin();
      this.pollLater();
    } catch (fault) {
      this.awake = null;
      throw fault;
    }
  }

  private pollLater(): void {
    this.timer = setTimeout(() => void this.poll(), this.again ? 0 : POLL_MS);
    this.timer.unref();
    this.again = false;
  }

  /** A notice came in; while a poll is under way another one follows it. */
  private pollNow(): void {
    this.again = this.polling;
    if (!this.timer) return;
    clearTimeout(this.timer);
    void this.poll();
  }

  private async poll(): Promise<void> {
    this.timer = null;
    this.polling = true;
    try {
      this.forgetSilent();
      const types = await this.journal.next();
      await this.checkKeys(types);
      if (types.some((type) => !CHANGES_NO_LIST.test(type))) await this.compareAll();
    } catch (fault) {
      this.log.warn(`Changes could not be read: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
    this.polling = false;
    if (this.ended) return;
    if (this.known.size > 0 || this.joining > 0) this.pollLater();
    else this.awake = null;
  }

  private forgetSilent(): void {
    for (const [agentId, { since }] of this.known)
      if (!this.audience.listens(agentId) && Date.now() - since > GRACE_MS) this.known.delete(agentId);
  }

  private async checkKeys(types: string[]): Promise<void> {
    const ended = types.some((type) => type === 'key.deleted' || type === 'agent.deleted');
    if (!ended && Date.now() - this.keysChecked < KEY_CHECK_MS) return;
    this.keysChecked = Date.now();
    await this.audience.dropInvalid();
  }

  private async compareAll(): Promise<void> {
    for (const [agentId, before] of this.known) {
      const now = await this.look(agentId);
      this.known.set(agentId, { ...now, since: before.since });
      if (now.tools !== before.tools) this.audience.tell(agentId, 'tools');
      if (now.servers === before.servers) continue;
      this.audience.tell(agentId, 'prompts');
      this.audience.tell(agentId, 'resources');
    }
  }

  private async look(agentId: string): Promise<ListFingerprint> {
    return fingerprintOf(await this.access.allowedTools(agentId));
  }

  /** A server says itself that its prompts or resources have changed: only where its process runs is that known. */
  private tellUsersOf(serverId: string, what: 'prompts' | 'resources'): void {
    for (const [agentId, { serverIds }] of this.known)
      if (serverIds.has(serverId)) this.audience.tell(agentId, what);
  }
}
