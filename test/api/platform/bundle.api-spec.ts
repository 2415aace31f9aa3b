import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const BUNDLE = resolve(import.meta.dirname, '../../../dist/src/app.start.js');

/** Prints the files that Node has loaded by `require` once the bundle is loaded. */
const LOADED = `
import { createRequire } from 'node:module';
await import(process.argv[1]);
console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));
process.exit(0);`;

const packageOf = (path: string) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;

describe('the bundle of the application', () => {
  it('holds every package that it loads, so that none is loaded a second time from node_modules', () => {
    const bundled = new Set(
      readFileSync(BUNDLE, 'utf8')
        .match(/^\/\/ (?:\.\.\/)*node_modules\/\S+$/gm)!
        .map(packageOf),
    );
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', LOADED, BUNDLE]);
    const loaded = new Set((JSON.parse(output.toString('utf8')) as string[]).map(packageOf));
    expect(bundled).toContain('class-transformer');
    expect(loaded).toContain('pg');
    expect([...loaded].filter((name) => bundled.has(name))).toEqual([]);
    // A service without a collector for its traces loads nothing of their SDK. The API is a part of prom-client.
    const telemetry = [...loaded, ...bundled].filter((name) => name.startsWith('@opentelemetry'));
    expect(telemetry).toEqual(['@opentelemetry/api']);
    // Nor does one without an OpenID provider load anything for it.
    expect([...bundled].filter((name) => /^(jose|openid-client|oauth4webapi)$/.test(name))).toEqual([]);
  });
});
