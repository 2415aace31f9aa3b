import { until } from '../support/until.js';
import type { WebhookTarget } from '../support/webhook-target.js';
import { compare, type Ledger, storedIn, unreadable } from './ledger.js';
import type { Day } from './log.js';
import type { World } from './world.js';

/** Retries of webhooks come after seconds at first, then after minutes. */
const DELIVERY_SECONDS = 240;
/** Of what is wrong the first ones are named. */
const SHOWN = 3;

/** Stops the work, starts the service once more, and compares everything that was acknowledged on the day. */
export async function endOfDay(world: World): Promise<Pick<Day, 'end' | 'compared'>> {
  const { workload, service, editor } = world;
  await workload.end();
  await service.stop();
  await service.start();
  const { ledger } = workload;
  const findings = compare(ledger, await storedIn(world.database, world.project.id));
  const events = await eventsOf(world);
  return {
    end: [
      ...findings.lost.map((what) => `Lost: ${what}.`),
      ...findings.doubled.map((what) => `Doubled: ${what}.`),
      ...(await unreadable(editor, ledger)).map((what) => `Lost: ${what}.`),
      ...events.wrong,
      ...(await allSent(world.target, ledger)),
      ...(await invariantsOf(world)),
    ],
    compared: {
      writes: ledger.size,
      repeated: ledger.repeated.length,
      events: events.count,
      deliveries: ledger.issues.size,
    },
  };
}

/** The stream of events must have had each row of the project's journal once and in order. */
async function eventsOf({ database, project, reader }: World): Promise<{ count: number; wrong: string[] }> {
  const written = await database.sql<{ id: string; position: string; type: string; at: string }>(
    `SELECT id, position, type, created_at::text AS at FROM journal WHERE project_id = '${project.id}' AND type NOT LIKE 'project.%' ORDER BY position`,
  );
  const received = () =>
    reader.events.filter(({ projectId, type }) => projectId === project.id && !type.startsWith('project.'));
  // The comparison shows which events are missing.
  await until(() => received().length >= written.length, 60).catch(() => undefined);
  const [sent, got] = [written.map(({ id }) => id), received().map(({ id }) => id)];
  const seen = new Set(got);
  const missing = written.filter(({ id }) => !seen.has(id));
  const isSame = sent.length === got.length && sent.every((id, at) => id === got[at]);
  const first = missing.slice(0, SHOWN).map(({ type, position, at }) => `${type} at ${position}, ${at}`);
  const what = `${missing.length} missing (${first.join('; ')}), ${got.length - seen.size} twice`;
  return { count: sent.length, wrong: isSame ? [] : [`The events differ from the journal: ${what}.`] };
}

/** Each acknowledged issue must have been reported to the receiver of webhooks, at least once. */
export async function allSent(target: WebhookTarget, ledger: Ledger): Promise<string[]> {
  const missing = () => {
    const received = new Set(
      target.received.flatMap(({ event }) => (event.type === 'issue.created' ? [event.subject.id] : [])),
    );
    return [...ledger.issues.values()].filter((id) => !received.has(id));
  };
  await until(() => missing().length === 0, DELIVERY_SECONDS).catch(() => undefined);
  const last = missing();
  const first = last.slice(0, SHOWN).join(', ');
  return last.length === 0
    ? []
    : [`The receiver of webhooks was not sent ${last.length} issues, of which the first are ${first}.`];
}

/** The process is new, so that its values are. */
async function invariantsOf({ service }: World): Promise<string[]> {
  const { text } = await service.owner.unchecked().get('/metrics');
  const values = [...text.matchAll(/^(awp_invariant_violations\{[^}]*\}) (\d+)$/gm)];
  if (values.length === 0) return ['No invariants were reported.'];
  return values.filter(([, , value]) => value !== '0').map(([, name, value]) => `${name} is ${value}.`);
}
