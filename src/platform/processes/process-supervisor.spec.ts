import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ScriptedStart } from '../../../test/support/scripted-start.js';
import { PartFailed } from './process-supervisor.js';
import type { Ended } from './supervised-process.js';

/** Lets the time pass that a process has to become ready. */
async function pass(): Promise<void> {
  await jest.advanceTimersByTimeAsync(121_000);
  await new Promise(setImmediate);
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

const CODE_1: Ended = { code: 1, how: 'ended with code 1' };
const serving = (scene: ScriptedStart) => scene.primary.processes.map(({ name, pid }) => `${name} ${pid}`);

describe('a replacement of all processes', () => {
  it('gives each part to a new process, and ends the old one after that', async () => {
    const scene = await ScriptedStart.started();
    void scene.primary.replaceAll();
    await scene.settle();
    expect(serving(scene)).toEqual(['api-1 1', 'api-2 3', 'host 2']);
    expect(scene.all.slice(0, 3).some(({ isTold }) => isTold)).toBe(false);
    await scene.replaceTheRest();
    expect(serving(scene)).toEqual(['api-1 4', 'api-2 5', 'host 6']);
    expect(scene.all.map(({ isTold }) => isTold)).toEqual([true, true, true, false, false, false]);
  });

  it.each(['api-1', 'host'])(
    'starts no second process for %s when the old one dies meanwhile',
    async (name) => {
      const scene = await ScriptedStart.started();
      void scene.primary.replaceAll();
      await scene.settle();
      while (scene.last.part.name !== name) {
        scene.last.becomeReady();
        await scene.settle();
      }
      const [old, successor] = scene.of(name);
      old!.endWith(CODE_1);
      await scene.settle();
      expect(scene.of(name)).toEqual([successor]);
      await scene.replaceTheRest();
      expect(scene.of(name)).toEqual([successor]);
      expect(scene.primary.processes.find((one) => one.name === name)?.pid).toBe(successor!.pid);
    },
  );

  it('starts a part again whose old process died and whose successor could not start', async () => {
    const scene = await ScriptedStart.started();
    void scene.primary.replaceAll();
    await scene.settle();
    scene.all[0]!.endWith(CODE_1);
    await scene.settle();
    scene.last.endWith(CODE_1);
    await scene.settle();
    expect(scene.of('api-1')).toHaveLength(1);
    scene.last.becomeReady();
    await scene.settle();
    expect(scene.primary.processes.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
  });

  it('keeps the old process, and those after it, where a new one ends before it is ready', async () => {
    const scene = await ScriptedStart.started();
    void scene.primary.replaceAll();
    await scene.settle();
    scene.last.becomeReady();
    await scene.settle();
    scene.last.endWith(CODE_1);
    await scene.settle();
    expect(serving(scene)).toEqual(['api-1 4', 'api-2 3', 'host 2']);
    expect(scene.all).toHaveLength(5);
    expect(scene.lines.at(-1)).toBe(
      'SIGHUP: api-2 could not be replaced, and stays as it was: the new process ended with code 1.',
    );
  });

  it('kills a new process that does not become ready, but not for the time that a migration takes', async () => {
    const scene = await ScriptedStart.started();
    void scene.primary.replaceAll();
    await pass();
    expect(scene.last.hasEnded).toBe(false);
    scene.last.becomePrepared();
    await scene.settle();
    expect(scene.last.hasEnded).toBe(false);
    await pass();
    expect(scene.last.hasEnded).toBe(true);
    expect(serving(scene)).toEqual(['api-1 1', 'api-2 3', 'host 2']);
    expect(scene.lines.at(-1)).toMatch(/the new process was not ready within 120 s\.$/);
  });

  it('shows the Owner that a new process has made in an empty database', async () => {
    const scene = await ScriptedStart.started();
    void scene.primary.replaceAll();
    await scene.settle();
    scene.last.becomeReady({ email: 'owner@example.com', password: 'p', apiKey: 'k' });
    await scene.settle();
    expect(scene.lines).toContain('Owner owner@example.com');
  });

  it('comes once more when it is asked for meanwhile, however often', async () => {
    const scene = await ScriptedStart.started();
    for (let asked = 0; asked < 3; asked += 1) void scene.primary.replaceAll();
    await scene.settle();
    await scene.replaceTheRest();
    expect(serving(scene)).toEqual(['api-1 7', 'api-2 8', 'host 9']);
  });

  it('follows a start during which it was asked for', async () => {
    const scene = new ScriptedStart(2);
    const ready = scene.primary.start(Promise.resolve('postgres://one'));
    void scene.primary.replaceAll();
    expect(scene.all).toHaveLength(2);
    for (const process of scene.all.slice()) process.becomeReady();
    await ready;
    await scene.settle();
    await scene.replaceTheRest();
    expect(serving(scene)).toEqual(['api-1 4', 'api-2 5', 'host 6']);
  });

  it('ends with everything else at SIGTERM: the process that was to take a part over too', async () => {
    const scene = await ScriptedStart.started();
    void scene.primary.replaceAll();
    await scene.settle();
    const end = scene.primary.end('SIGTERM was received', 0);
    await scene.settle();
    expect(scene.all.map(({ part, isTold }) => `${part.name} ${isTold}`)).toEqual([
      'api-1 true',
      'host false',
      'api-2 true',
      'api-1 true',
    ]);
    for (const process of scene.all.filter(({ isTold }) => isTold))
      process.endWith({ code: 0, how: 'ended' });
    await scene.settle();
    scene.all[1]!.endWith({ code: 0, how: 'ended' });
    await end;
    expect(scene.all).toHaveLength(4);
    expect(scene.lines).toEqual(['api-2 is ready as process 3.']);
  });
});

describe('a process that ends', () => {
  it('is started again, with the address of the database', async () => {
    const scene = await ScriptedStart.started();
    scene.of('api-2')[0]!.endWith({ code: null, how: 'ended with SIGKILL' });
    await scene.settle();
    expect(scene.lines.at(-1)).toBe('api-2 (process 3) ended with SIGKILL. It is started again.');
    expect(scene.last.sent[0]).toEqual({ awp: 'go', databaseUrl: 'postgres://one' });
    scene.last.becomeReady();
    await scene.settle();
    expect(scene.primary.processes[1]).toMatchObject({ name: 'api-2', pid: 4, state: 'ready', restarts: 1 });
  });

  it('is killed and started again where it does not become ready', async () => {
    const scene = await ScriptedStart.started();
    scene.of('api-2')[0]!.endWith(CODE_1);
    await scene.settle();
    const stuck = scene.all[3]!;
    await pass();
    expect(stuck.hasEnded).toBe(true);
    expect(scene.of('api-2')).toHaveLength(1);
  });
});

describe('a start', () => {
  it('is ready with the first process and the host, and starts the others then', async () => {
    const scene = new ScriptedStart(3);
    const start = scene.primary.start(Promise.resolve('postgres://one'));
    expect(scene.all.map(({ part }) => part.name)).toEqual(['api-1', 'host']);
    await scene.settle();
    expect(scene.all.map(({ sent }) => sent.map(({ awp }) => awp))).toEqual([['go'], ['database']]);
    scene.all[0]!.becomePrepared();
    await scene.settle();
    expect(scene.all[1]!.sent.at(-1)).toEqual({ awp: 'go', databaseUrl: 'postgres://one' });
    for (const process of scene.all.slice()) process.becomeReady();
    expect(await start).toHaveLength(2);
    expect(scene.primary.processes.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'api-1 ready',
      'api-2 starting',
      'api-3 starting',
      'host ready',
    ]);
    scene.of('api-3')[0]!.endWith(CODE_1);
    await scene.settle();
    expect(scene.of('api-3')).toHaveLength(1);
    scene.of('api-2')[0]!.becomeReady();
    await scene.settle();
    expect(scene.lines).toEqual([
      'api-3 (process 4) ended with code 1. It is started again.',
      'api-2 is ready as process 3.',
    ]);
  });

  it('starts no further process once it ends', async () => {
    const scene = new ScriptedStart(2);
    const start = scene.primary.start(Promise.resolve('postgres://one'));
    void scene.primary.end('SIGTERM was received', 0);
    for (const process of scene.all) process.becomeReady();
    await start;
    expect(scene.all).toHaveLength(2);
  });

  it('fails with the exit code of the process that ended, and ends no other way', async () => {
    const scene = new ScriptedStart(2);
    const ready = scene.primary.start(Promise.resolve('postgres://one'));
    scene.all[1]!.endWith({ code: 78, how: 'ended with code 78' });
    const failure = await ready.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartFailed);
    expect(failure).toMatchObject({ exitCode: 78 });
    expect(scene.lines).toEqual([]);
  });

  it('says why a process could not even run', async () => {
    const scene = new ScriptedStart(2);
    const ready = scene.primary.start(Promise.resolve('postgres://one'));
    scene.all[0]!.endWith({ code: null, how: 'could not be started (spawn EMFILE)' });
    await expect(ready).rejects.toMatchObject({ exitCode: 1 });
    expect(scene.lines).toEqual(['api-1 could not be started (spawn EMFILE).']);
  });

  it('is not ready any more once it ends, whatever its processes said before', async () => {
    const { primary, all } = await ScriptedStart.started();
    expect(await primary.readiness()).toBe('api-1');
    void primary.end('SIGTERM was received', 0);
    expect(await primary.readiness()).toMatchObject({ status: 'unavailable' });
    for (const each of all) each.endWith({ code: 0, how: 'ended' });
  });
});
