import { WorkerApi, type Attachment, type Heartbeat } from 'agent-work-platform-client/worker';
import { z } from 'zod';

/** The key of an issue (contract §1). Folders, files and branches have it in their names. */
export const ISSUE_KEY = /^[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,8}$/;
/** A path on the service itself: what follows its address must not change the host, which gets the agent's key. */
const PATH = /^\/(?![/\\])/;

const uuid = z.guid();
const key = z.string().refine((text) => ISSUE_KEY.test(text), {
  error: ({ input }) => `«${String(input)}» is not the key of an issue`,
});
const connect = z.looseObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()),
});
const item = z
  .looseObject({
    issueId: uuid,
    token: z.int().min(0),
    state: z.enum(['start', 'continue', 'stop']),
    issue: z.looseObject({ key }).nullable(),
    connect: connect.nullable(),
  })
  .refine(({ state, issue }) => state === 'stop' || issue !== null, 'has no issue to work on')
  .refine((one) => one.state === 'stop' || one.connect !== null, 'has no connection for the agent');
const work = z.array(item).optional();
const file = z.looseObject({
  id: uuid,
  filename: z.string(),
  size: z.number().min(0),
  downloadUrl: z.string().regex(PATH),
});

/**
 * The service as the runner uses it. Keys, ids and names become paths on this machine, so they are checked where they
 * come in: another program may listen at the address, and over plain http anybody in between can answer.
 */
export class CheckedService extends WorkerApi {
  override async heartbeat(...call: Parameters<WorkerApi['heartbeat']>): Promise<Heartbeat> {
    const heartbeat = await super.heartbeat(...call);
    this.check(work, heartbeat.work, 'work');
    return heartbeat;
  }

  override async attachments(issueId: string): Promise<Attachment[]> {
    const files = await super.attachments(issueId);
    this.check(z.array(file), files, 'attachments');
    return files;
  }

  override async upload(...call: Parameters<WorkerApi['upload']>): Promise<Attachment> {
    const attachment = await super.upload(...call);
    this.check(file, attachment, 'an attachment');
    return attachment;
  }

  /** @throws {Error} for an answer that this service never gives */
  private check(schema: z.ZodType, answer: unknown, what: string): void {
    const { error } = schema.safeParse(answer);
    if (!error) return;
    const [{ path, message }] = error.issues as [z.core.$ZodIssue];
    throw new Error(
      `The service sent ${what} that cannot be right (${path.join('.')}: ${message}), and none of it is used. Check url in awp-runner.yaml.`,
    );
  }
}
