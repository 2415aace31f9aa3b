import { eventTypes } from '../../../../platform/journal/event-types.js';

const areas = [...new Set(eventTypes.map((type) => type.slice(0, type.lastIndexOf('.'))))];

/** What a webhook can be limited to: one type, or all types of an area (`issue.*`). */
export const webhookEventTypes: string[] = [...eventTypes, ...areas.map((area) => `${area}.*`)];
