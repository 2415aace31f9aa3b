import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** The instructions of the Dockerfile, each in one line. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '');
const shipped = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
const ignored = read('.dockerignore').trim().split('\n');

/** Whether Docker sends a path to the build: the last line that matches decides, and a line means what lies below too. */
function isSent(path: string): boolean {
  const matching = ignored.filter((line) => {
    const pattern = line
      .replace(/^!/, '')
      .replaceAll('.', String.raw`\.`)
      .replaceAll('*', '[^/]*');
    return new RegExp(`^${pattern}(/|$)`).test(path);
  });
  return matching.at(-1)?.startsWith('!') ?? true;
}
const copied = (lines: string[]) =>
  lines.flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]!.split(' ') ?? []);

interface ComposeService {
  build?: string;
  restart?: string;
  logging?: unknown;
  mem_limit?: string;
  healthcheck?: unknown;
  command?: unknown;
}
const { services } = load(read('docker-compose.yml')) as { services: Record<string, ComposeService> };
/** Those that do one thing and end. */
const ONCE = ['key-ring', 'certificate'];

describe('the Dockerfile', () => {
  it('copies only what exists and what .dockerignore lets through', () => {
    const paths = copied(instructions);
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths.filter((one) => !one.includes('*'))) {
      expect([path, existsSync(join(root, path)), isSent(path)]).toEqual([path, true, true]);
    }
  });

  it('ships the package alone, with the pages that messages name', () => {
    expect(shipped.filter((line) => line.startsWith('COPY '))).toEqual(['COPY --from=build /app ./']);
    expect(copied(instructions)).toContain('docs/*.md');
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.filter((page) => !isSent(`docs/${page}`))).toEqual([]);
    // Pictures and decisions are for readers of the repository.
    expect(['docs/pictures/board.png', 'docs/openapi.released.json', '.env', 'data'].filter(isSent)).toEqual(
      [],
    );
  });

  it('asks the process for its health without starting Node, by a script that it ships', () => {
    const [health] = shipped.filter((line) => line.startsWith('HEALTHCHECK'));
    const [, script] = /CMD \["sh", "\/app\/node_modules\/agent-work-platform\/(scripts\/[\w.]+)"\]$/.exec(
      health!,
    )!;
    expect(read('scripts/package/service-package.mjs')).toContain(`'${script}'`);
    const commands = read(script!).replaceAll(/^#.*$/gm, '');
    expect(commands).toMatch(/\/livez"$/m);
    expect(commands).not.toMatch(/\bnode\b|readyz/);
    // The program that it runs is installed.
    const [, program] = /^exec (\w+)/m.exec(commands)!;
    expect(shipped.find((line) => line.includes('apt-get install'))).toMatch(new RegExp(` ${program!} `));
  });

  it('runs as a user of its own, installs nothing beside what it names, and keeps no package lists', () => {
    expect(shipped.findLastIndex((line) => line === 'USER awp')).toBeGreaterThan(
      shipped.findLastIndex((line) => line.startsWith('RUN ') || line.startsWith('COPY ')),
    );
    const install = shipped.find((line) => line.includes('apt-get install'))!;
    expect(install).toContain('--no-install-recommends');
    expect(install).toContain('rm -rf /var/lib/apt/lists/*');
    // A base without a version would be another one tomorrow.
    expect(instructions.filter((line) => /^FROM (?![^ :]+:(?!latest)\S)/.test(line))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  it('limits the memory of every container', () => {
    const unlimited = Object.entries(services).filter(([, one]) => one.mem_limit === undefined);
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  it('starts again what runs on, and bounds its log', () => {
    const lasting = Object.entries(services).filter(([name]) => !ONCE.includes(name));
    expect(lasting).toHaveLength(4);
    expect(lasting.filter(([, { restart, logging }]) => restart !== 'unless-stopped' || !logging)).toEqual(
      [],
    );
  });

  it('asks for the health of the service alone among the containers of its image', () => {
    const ofImage = Object.entries(services).filter(([, { build }]) => build !== undefined);
    expect(ofImage.map(([name]) => name)).toEqual(['key-ring', 'service', 'backup']);
    for (const [name, { healthcheck }] of ofImage)
      expect([name, healthcheck]).toEqual([name, name === 'service' ? undefined : { disable: true }]);
  });
});
