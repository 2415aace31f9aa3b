import { expect, it } from '@jest/globals';
import { Refused } from 'agent-work-platform-client';
import { Stop, WorkLoop, type Job, type WorkHandlers } from 'agent-work-platform-client/work-loop';
import type { Heartbeat, WorkerApi, WorkItem } from 'agent-work-platform-client/worker';

const item = { issueId: 'one', token: 1, state: 'start' } as WorkItem;
const given = (...work: WorkItem[]) => ({ work }) as Heartbeat;

/** Returns the refusal of a heartbeat, with no time to wait. */
function refused(code: string): Refused {
  const response = Response.json({}, { status: 409 });
  Object.defineProperty(response, 'url', { value: 'http://127.0.0.1/heartbeat' });
  return new Refused(response, { code, detail: code } as ConstructorParameters<typeof Refused>[1]);
}

/** A loop whose heartbeats get these answers, one after the other, and end when there are no more. */
function loopWith(answers: (Heartbeat | Refused)[], done = Promise.resolve()) {
  const sent: Record<string, unknown>[] = [];
  const jobs: Job[] = [];
  const retries: (string | undefined)[] = [];
  const heartbeat = (body: Record<string, unknown>) => {
    sent.push(body);
    const answer = answers.shift();
    if (answers.length === 0) loop.end('shutdown');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? given());
  };
  const handlers: WorkHandlers = {
    capacity: () => 1,
    start: (begun) => {
      const job = { item: begun, stop: new Stop(), hear: () => undefined, done };
      jobs.push(job);
      return job;
    },
    onRetry: (error) => retries.push((error as Refused).code),
  };
  const loop = new WorkLoop({ heartbeat } as unknown as WorkerApi, 'w', handlers, { takeOver: true });
  return { loop, sent, jobs, retries };
}

it('waits while another process has the name, and then works', async () => {
  const { loop, sent, jobs, retries } = loopWith([refused('worker_taken'), given(item), given()]);
  await loop.run();
  expect(retries).toEqual(['worker_taken']);
  expect(jobs.map((job) => job.item.issueId)).toEqual(['one']);
  expect(new Set(sent.map(({ instance }) => instance)).size).toBe(1);
  expect(sent.map(({ takeOver }) => takeOver).slice(0, 3)).toEqual([true, true, undefined]);
});

it('stops its jobs at once and ends when another process has taken over the name', async () => {
  const { loop, jobs } = loopWith(
    [given(item), refused('worker_superseded'), given()],
    new Promise(() => undefined),
  );
  await expect(loop.run()).rejects.toMatchObject({ code: 'worker_superseded' });
  expect(jobs[0]!.stop).toMatchObject({ reason: 'taken_over', now: { aborted: true } });
});
