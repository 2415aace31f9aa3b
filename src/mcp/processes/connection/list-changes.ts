import type { Client } from '@modelcontextprotocol/client';

type List = 'tools' | 'prompts' | 'resources';

/**
 * Calls `notify` when the server reports that one of its lists has changed. In the old era the notification comes
 * unasked. In the new era the client subscribes to it, and subscribes again when the stream breaks.
 */
export function followLists(client: Client, notify: (what: List) => void): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => notify('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => notify('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => notify('resources'));
  if (client.getProtocolEra() === 'modern') void subscribe(client, notify, FIRST_PAUSE_MS);
}

/** Runs for as long as the connection lives. Changes that were missed while the stream was down are reported afterwards. */
async function subscribe(client: Client, notify: (what: List) => void, pauseMs: number): Promise<void> {
  const offered = client.getServerCapabilities();
  const lists = (['tools', 'prompts', 'resources'] as const).filter((list) => offered?.[list]?.listChanged);
  if (lists.length === 0) return;
  const filter = {
    toolsListChanged: lists.includes('tools'),
    promptsListChanged: lists.includes('prompts'),
    resourcesListChanged: lists.includes('resources'),
  };
  const ended = await client.listen(filter).then(
    (subscription) => subscription.closed,
    () => 'refused' as const,
  );
  if (ended === 'local' || client.transport === undefined) return;
  await new Promise((resolve) => {
    setTimeout(resolve, pauseMs).unref();
  });
  if (client.transport === undefined) return;
  if (ended !== 'refused') lists.forEach(notify);
  await subscribe(client, notify, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
