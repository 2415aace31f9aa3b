import { IsString } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';

export class EventsQuery {
  /** The same as the header Last-Event-ID, for clients that cannot set it on their first connection. The header wins. */
  @MayBeAbsent()
  @IsString()
  lastEventId?: string;
}
