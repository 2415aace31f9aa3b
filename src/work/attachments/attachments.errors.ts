import { Problem } from '../../platform/http/problem.js';

/** 415: an upload is a form and nothing else. */
export class NotMultipart extends Problem {
  constructor() {
    super(
      'unsupported_media_type',
      'Send the file as multipart/form-data, uncompressed, in the field `file`.',
    );
  }
}

export class FileTooLarge extends Problem {
  /** @param limit in bytes */
  constructor(limit: number) {
    super('payload_too_large', `A file may have at most ${limit} bytes.`);
  }
}

/** 503: nowhere to put the bytes. */
export class StoreFull extends Problem {
  constructor() {
    super(
      'unavailable',
      'There is no space left for attachments; ask whoever runs the service, and try again then.',
      {
        headers: { 'Retry-After': '60' },
      },
    );
  }
}

/** 503: the object store does not answer, or does not let the service in. */
export class StoreAway extends Problem {
  constructor() {
    super('unavailable', 'The store of attachments does not answer; try again in a moment.', {
      headers: { 'Retry-After': '2' },
    });
  }
}

/** 503: the upload was taken for one that a crash left, and its bytes were removed. */
export class UploadOvertaken extends Problem {
  constructor() {
    super('unavailable', 'The upload could not be finished in time; send it again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** 416: no byte of the range that was asked for is there. */
export class RangeNotSatisfiable extends Problem {
  /** @param size of the whole file in bytes */
  constructor(size: number) {
    super('range_not_satisfiable', `The file has ${size} bytes; ask for a range within them.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
}
