import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noChromium } from '../support/dashboard.js';
import { endOfDay } from './end-of-day.js';
import { type Day, markdown } from './log.js';
import { GamePage } from './page.js';
import { Play, PRETENCES } from './play.js';
import { restoreScene } from './restore.js';
import { problemsOf, type Result } from './scene.js';
import { scenesAround } from './scenes-around.js';
import { scenesOfTheDatabase } from './scenes-of-the-database.js';
import { World } from './world.js';

/** Set by run.mjs: the names of the scenes to play, the file of the log, and what is made wrong on purpose. */
const { GAME_DAY_ONLY = '', GAME_DAY_LOG = '', GAME_DAY_PRETEND = '' } = process.env;
const all = [...scenesOfTheDatabase, ...scenesAround, restoreScene];
const only = GAME_DAY_ONLY.split(',').filter(Boolean);
const scenes = all.filter(({ name }) => only.length === 0 || only.includes(name));
const unknown = only.filter((name) => !all.some((scene) => scene.name === name));
if (unknown.length > 0)
  throw new Error(`There is no scene ${unknown.join(', ')}: ${all.map(({ name }) => name).join(', ')}`);

const pretence = PRETENCES.find((one) => one === GAME_DAY_PRETEND) ?? null;
if (GAME_DAY_PRETEND && pretence === null)
  throw new Error(`There is no pretence ${GAME_DAY_PRETEND}: ${PRETENCES.join(', ')}`);

const report = (line: string): void => void process.stderr.write(`${line}\n`);

describe('the game day', () => {
  let world: World;
  let page: GamePage | null = null;
  let end: Pick<Day, 'end' | 'compared'> | null = null;
  const results: Result[] = [];
  beforeAll(async () => {
    report('The installation is built.');
    world = await World.begin();
    if (noChromium === null) page = await GamePage.open(world.service, world.project.key);
    else report(`The dashboard is not opened in a browser: ${noChromium}.`);
  });
  afterAll(async () => {
    await page?.close();
    await world?.remove();
  });

  it.each(scenes)('$name is noticed, recovers, and loses nothing', async (scene) => {
    const result = await new Play(world, scene, page, pretence).run();
    results.push(result);
    const problems = problemsOf(result);
    report(
      `${scene.name}: ${problems.length === 0 ? 'noticed, recovered, nothing lost' : problems.join(' ')}`,
    );
    expect(problems).toEqual([]);
  });

  it('ends with everything that was acknowledged, once', async () => {
    end = await endOfDay(world);
    report(`At the end: ${JSON.stringify(end)}`);
    if (GAME_DAY_LOG) writeFileSync(GAME_DAY_LOG, markdown(await theDay()));
    expect(end.end).toEqual([]);
  });

  async function theDay(): Promise<Day> {
    const [row] = await world.database.sql<{ server_version: string }>('SHOW server_version');
    return { results, ...end!, processors: availableParallelism(), postgres: row!.server_version };
  }
});
