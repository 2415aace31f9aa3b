import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { WebhookWorker } from './webhook-worker.js';

it('looks again when it is told of a webhook while it finds that there is none', async () => {
  const heard = new Subject<string | null>();
  const looks: ((found: boolean) => void)[] = [];
  const webhooks = { anyEnabled: () => new Promise<boolean>((found) => looks.push(found)) };
  const none = {} as never;
  const worker = new WebhookWorker(none, { heard } as never, webhooks as never, none, none, none, none, none);
  worker.onApplicationBootstrap();
  expect(looks).toHaveLength(1);
  heard.next('webhook.created');
  looks[0]!(false);
  await turn();
  expect(looks).toHaveLength(2);
  looks[1]!(false);
  await turn();
  heard.next('issue.created');
  expect(looks).toHaveLength(2);
  heard.next('webhook.updated');
  expect(looks).toHaveLength(3);
});
