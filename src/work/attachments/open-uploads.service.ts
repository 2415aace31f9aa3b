import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { Problem } from '../../platform/http/problem.js';

/**
 * Bounds the bytes of the uploads that an agent has open in this process (contract §9.1). Its quota counts a file when it
 * is complete, and 500 open uploads of the largest size would hold 12 GiB of the disk until they are cut.
 */
@Injectable()
export class OpenUploadsService {
  private readonly limit: number;
  private readonly open = new Map<string, number>();

  constructor({ limits }: Settings) {
    this.limit = limits.attachmentBytesPerAgentHour || Infinity;
  }

  /**
   * Runs an upload.
   * @param read calls `hold` for the bytes that arrive, which throws where the agent has too many open
   */
  async during<T>({ id, type }: Principal, read: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
    let held = 0;
    const hold = (bytes: number): void => {
      const sum = (this.open.get(id) ?? 0) + bytes;
      if (type === 'agent' && sum > this.limit) throw new TooMuchUploading(sum - bytes);
      held += bytes;
      this.open.set(id, sum);
    };
    try {
      return await read(hold);
    } finally {
      const left = (this.open.get(id) ?? 0) - held;
      if (left > 0) this.open.set(id, left);
      else this.open.delete(id);
    }
  }
}

/** 429: the uploads that the agent has open hold as many bytes as it may upload per hour. */
class TooMuchUploading extends Problem {
  constructor(held: number) {
    super(
      'rate_limited',
      `Your open uploads hold ${held} bytes. Wait until some of them are complete, then send this again.`,
      { headers: { 'Retry-After': '1' } },
    );
  }
}
