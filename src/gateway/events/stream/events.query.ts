import { IsString } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';

export class EventsQuery {
  /** As the header Last-Event-ID, for clients that can't set one at their first connect. The header counts. */
  @MayBeAbsent()
  @IsString()
  lastEventId?: string;
}
