import { durationText } from '../config/values.js';
import type { Connect, Run } from '../run/run.js';
import { resolved, review, stopped, type Outcome } from './outcome.js';
import { firstPrompt } from './prompts.js';

const GIVE_BACK = 75;
const MAX_RESULT = 16_384;

/** Runs a plain command for an issue: the brief on its standard input and in a file, its end as an exit code. */
export async function runCommand(run: Run, { url, headers }: Connect): Promise<Outcome> {
  const { workspace, stop, setup, item, state } = run;
  const { config, service } = setup;
  const files = await workspace.download(service, await service.attachments(item.issueId));
  await workspace.hook('before_turn', stop.now);
  const brief = firstPrompt(run, files);
  const result = workspace.write('result.md', '');
  const token = headers['Authorization']!.replace(/^Bearer /, '');
  const variables = { AWP_BRIEF: workspace.write('brief.md', brief), AWP_RESULT: result };
  const child = run.start({ ...variables, AWP_MCP_URL: url, AWP_MCP_TOKEN: token });
  child.read();
  run.update({ turns: state.turns + 1 });
  child.stdin.end(brief);
  const isLate = await child.within(config.limits.turn, stop.now);
  const written = workspace.read('result.md', MAX_RESULT);
  const said = written || child.lastWords;
  if (stop.now.aborted) return stopped(stop.reason);
  if (isLate) return review(said, `The command lasted longer than ${durationText(config.limits.turn)}.`);
  if (child.code === GIVE_BACK) return { kind: 'release', reason: 'The command gave the issue back.' };
  if (child.code !== 0 || child.flooded) return review(said, `The command ${await child.ended}.`);
  // A result that comes after a pause is kept, and a person decides.
  if (stop.reason === 'paused') return review(said, 'Paused meanwhile.');
  if (stop.reason !== null) return stopped(stop.reason);
  await workspace.hook('after_run', stop.now);
  return resolved(config, said, 'The command ended with code 0.');
}
