import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { TooManyRequests } from '../../platform/authentication/authentication.errors.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { whenClosed } from '../../platform/http/in-flight-connections-and-slow-readers.js';
import { JournalFollowerWorker } from '../../platform/journal/journal-follower-and-subscriptions.worker.js';
import { ProjectsService } from '../../work/projects/projects.service.js';
import { EventBroadcastWorker, type EventFilter, EventReader, RETRY_MS } from './event-broadcast.worker.js';
import { EventCursorService } from './event-cursor.service.js';
import type { EventsQuery } from './events.query.js';

/** Opens the streams of `GET /api/events`. */
@Injectable()
export class EventStreamsService {
  /** How many streams each user or agent has open. */
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly broadcast: EventBroadcastWorker,
    private readonly journal: JournalFollowerWorker,
    private readonly cursor: EventCursorService,
    private readonly projects: ProjectsService,
    private readonly settings: Settings,
  ) {}

  /**
   * Begins after the event with this id, or with what commits from now on. The headers go out once the beginning is
   * settled, so a client that has them misses nothing.
   * @throws {TooManyRequests} when the caller has too many streams open
   * @throws {EventsGone} when events after `lastEventId` are no longer kept
   * @throws {ValidationFailed} when `lastEventId` is not the id of an event of this service, or `projectId` names no project that the
   * caller sees
   */
  async open(
    principal: Principal,
    lastEventId: string | undefined,
    query: Pick<EventsQuery, 'projectId' | 'types'>,
    response: Response,
  ): Promise<void> {
    this.enter(principal.id, response);
    const filter = await this.filterOf(principal, query);
    const position = lastEventId ? await this.cursor.positionOf(lastEventId) : await this.journal.beginning();
    if (response.destroyed) return;
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    const reader = new EventReader(
      principal,
      position,
      response,
      this.settings.limits.streamUnreadMaxBytes,
      filter,
    );
    whenClosed(response, () => this.broadcast.remove(reader));
    reader.send(`retry: ${RETRY_MS}\nid: ${lastEventId || this.cursor.seal(position)}\n\n`);
    this.broadcast.add(reader);
  }

  private async filterOf(
    principal: Principal,
    { projectId, types }: Pick<EventsQuery, 'projectId' | 'types'>,
  ): Promise<EventFilter> {
    const project = await this.projects.getFiltered(principal, projectId);
    return { ...(project && { projectId: project.id }), ...(types && { types: new Set<string>(types) }) };
  }

  private enter(callerId: string, response: Response): void {
    const open = this.counts.get(callerId) ?? 0;
    // The share of this process decides, and people know the limit of the whole start.
    const { limits, limitsTogether } = this.settings;
    if (open >= limits.streamsPerPrincipal)
      throw new TooManyRequests(
        RETRY_MS,
        `You may have ${limitsTogether.streamsPerPrincipal} event streams open. Close one of them first.`,
      );
    this.counts.set(callerId, open + 1);
    whenClosed(response, () => {
      const left = this.counts.get(callerId)! - 1;
      if (left > 0) this.counts.set(callerId, left);
      else this.counts.delete(callerId);
    });
  }
}
