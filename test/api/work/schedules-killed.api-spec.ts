import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DueTimes } from '../../../src/work/schedules/due-times.js';
import { aProject, aSchedule, type Issue, type Project, type Schedule } from '../../support/builders.js';
import { OneConnection } from '../../support/database-of.js';
import { Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { expectInvariants } from './issues/invariants.js';

const STEP_MS = 10 * 60_000;
/** Each change of Europe's summer time in 2027, with the times around it through which the clock goes. */
const CHANGES = [
  { from: '2027-03-27T22:55Z', to: '2027-03-28T03:35Z', 'half past two': '2027-03-28T01:00:00.000Z' },
  { from: '2027-10-30T22:55Z', to: '2027-10-31T03:35Z', 'half past two': '2027-10-31T00:30:00.000Z' },
];
/** A process is killed at this many due times of each change. */
const KILLS = 10;

const SCHEDULES = [
  { name: 'every ten minutes', cron: '*/10 * * * *', timeZone: 'Europe/Berlin' },
  { name: 'half past two', cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
  { name: 'three', cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
  { name: 'at night', cron: '*/20 1-3 * * *', timeZone: 'Europe/Berlin' },
  { name: 'half past one', cron: '30 1 * * *', timeZone: 'Europe/London' },
  { name: 'elsewhere', cron: '0,30 * * * *', timeZone: 'America/New_York' },
];

const service = new Service({ ownProcess: true });
let processes: Service[];
let project: Project;
let schedules: Schedule[];
let holder: OneConnection;

beforeAll(async () => {
  await service.furnish();
  // The clock of the database, by which the service decides, is one that the test sets: names are looked for in `public` first.
  const { pathname } = new URL(service.databaseUrl);
  await service.sql(`CREATE TABLE moved_clock AS SELECT interval '0' AS ahead`);
  await service.sql(
    `CREATE FUNCTION public.now() RETURNS timestamptz STABLE LANGUAGE sql AS
       'SELECT pg_catalog.now() + ahead FROM public.moved_clock'`,
  );
  await service.sql(`ALTER DATABASE "${pathname.slice(1)}" SET search_path = public, pg_catalog`);
  await setClock(CHANGES[0]!.from);
  await service.start();
  processes = [service, await service.second(), await service.second()];
  holder = await OneConnection.open(service.databaseUrl);
  project = await aProject(service.owner);
  schedules = [];
  for (const fields of SCHEDULES)
    schedules.push(
      await aSchedule(service.owner, project, {
        ...{ ...fields, policy: 'queue', enabled: false },
        template: { title: `${fields.name} {{number}}` },
      }),
    );
}, 120_000);
afterAll(async () => {
  await holder?.end();
  await service.remove();
});

const setClock = (time: string) =>
  service.sql('UPDATE moved_clock SET ahead = $1::timestamptz - pg_catalog.now()', [time]);
const isIdle = async () =>
  (await service.sql('SELECT 1 FROM schedules WHERE next_at <= public.now()')).length === 0;

/** The connections that act on a due time and wait for the project. */
const WAITING = `SELECT client_port AS port FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Returns the process whose end of a connection has this port. */
async function ownerOf(port: number): Promise<Service | undefined> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = (
    await Promise.all(['tcp', 'tcp6'].map((kind) => readFile(`/proc/net/${kind}`, 'utf8')))
  ).join('\n');
  const inodes = sockets.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    return fields[1]?.endsWith(`:${hex}`) ? [`socket:[${fields[9]}]`] : [];
  });
  for (const one of processes) {
    const folder = `/proc/${one.pid}/fd`;
    for (const fd of await readdir(folder))
      // A descriptor may be closed since the folder was read.
      if (inodes.includes(await readlink(`${folder}/${fd}`).catch(() => ''))) return one;
  }
  return undefined;
}

/** Kills the process that has just created an issue, before its transaction can commit. */
async function killBeforeCommit(time: string): Promise<Service> {
  await holder.rows('BEGIN');
  await holder.rows(`SELECT 1 FROM projects WHERE id = '${project.id}' FOR UPDATE`);
  await setClock(time);
  const [{ port }] = (await until(async () => {
    const waiting = await service.sql<{ port: number }>(WAITING);
    return waiting.length > 0 && waiting;
  })) as [{ port: number }];
  const victim = (await ownerOf(port))!;
  await victim.kill();
  await holder.rows('ROLLBACK');
  return victim;
}

/** Kills a process at some moment of the due second. */
async function killAtRandom(time: string): Promise<Service> {
  const victim = processes[Math.floor(Math.random() * processes.length)]!;
  await setClock(time);
  await sleep(Math.random() * 1_100);
  await victim.kill();
  return victim;
}

async function goThrough({ from, to }: (typeof CHANGES)[number]): Promise<void> {
  await setClock(from);
  for (const one of schedules) {
    const { status } = await service.owner.put(`/api/projects/schedules/${one.id}`, { enabled: true });
    expect(status).toBe(200);
  }
  let kills = 0;
  for (let time = Date.parse(from) + STEP_MS / 2; time < Date.parse(to); time += STEP_MS) {
    const now = new Date(time).toISOString();
    if (kills >= KILLS) await setClock(now);
    else {
      const victim = await (kills % 2 === 0 ? killBeforeCommit(now) : killAtRandom(now));
      kills += 1;
      await until(isIdle);
      await victim.start();
    }
    await until(isIdle);
  }
  for (const one of schedules)
    await service.owner.put(`/api/projects/schedules/${one.id}`, { enabled: false });
}

it.each(CHANGES)(
  'creates one issue per due time from $from to $to, although the process that acts on it is killed at many of them',
  async (change) => {
    await goThrough(change);
    const issues = (
      await service.owner.get<Issue[]>(`/api/projects/${project.id}/issues?limit=1000&sort=createdAt`)
    ).body;
    for (const { id, name, cron, timeZone } of schedules) {
      const due = new DueTimes(cron, timeZone)
        .upcoming(new Date(change.from), 60)
        .map((time) => time.toISOString())
        .filter((time) => time < new Date(change.to).toISOString());
      const ran = await service.sql<{ due: string; issue: string }>(
        `SELECT data ->> 'dueAt' AS due, data ->> 'issueId' AS issue FROM journal
         WHERE subject_id = $1 AND type = 'schedule.ran' ORDER BY position`,
        [id],
      );
      const here = ran.filter((one) => one.due > new Date(change.from).toISOString());
      expect({ name, due: here.map((one) => one.due) }).toEqual({ name, due });
      if (name === 'half past two') expect(due).toEqual([change[name]]);
      const own = issues.filter((issue) => issue.createdBy.id === id);
      expect(own.map((issue) => issue.id)).toEqual(ran.map(({ issue }) => issue));
      expect(own.map(({ title }) => title)).toEqual(own.map((_, at) => `${name} ${at + 1}`));
      const runs = await service.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM schedule_runs WHERE schedule_id = $1 AND outcome = 'created' AND due_at > $2`,
        [id, change.from],
      );
      expect(runs).toEqual([{ n: due.length }]);
    }
    const others = await service.sql(
      `SELECT type, data FROM journal WHERE type IN ('schedule.skipped', 'schedule.failed')`,
    );
    expect(others).toEqual([]);
    await expectInvariants(service);
  },
  600_000,
);
