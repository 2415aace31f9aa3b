import type { Client } from '@modelcontextprotocol/client';

type List = 'tools' | 'prompts' | 'resources';

/**
 * Calls `tell` when the server says that one of its lists has changed. In the old era the notice comes by
 * itself; in the new one it has to be subscribed to, and the subscription renewed when its stream breaks.
 */
export function followLists(client: Client, tell: (what: List) => void): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => tell('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => tell('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => tell('resources'));
  if (client.getProtocolEra() === 'modern') void subscribe(client, tell, FIRST_PAUSE_MS);
}

/** Goes on for as long as the connection lives. What was missed while the stream was down is told afterwards. */
async function subscribe(client: Client, tell: (what: List) => void, pauseMs: number): Promise<void> {
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
  if (ended !== 'refused') lists.forEach(tell);
  await subscribe(client, tell, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
