import { Problem } from '../../platform/http/problem.js';

/** 415: an upload must be a form. */
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

/** 503: the store has no space left. */
export class StoreFull extends Problem {
  constructor() {
    super(
      'storage_full',
      'There is no space left for attachments; ask the operator of the service for more, then try again.',
      {
        headers: { 'Retry-After': '60' },
      },
    );
  }
}

/** 404: the row of an attachment is there, and its bytes are not. */
export class AttachmentBytesMissing extends Problem {
  constructor() {
    super(
      'attachment_bytes_missing',
      'The service has lost the bytes of this file, or a process of it reads another store. Ask the operator of the service, or attach the file again.',
    );
  }
}

/** 503: the object store does not respond, or rejects the service's credentials. */
export class StoreAway extends Problem {
  constructor() {
    super('unavailable', 'The store of attachments does not respond; try again in a moment.', {
      headers: { 'Retry-After': '2' },
    });
  }
}

/** 503: a sweep took the upload for one that a crash had left, and removed its bytes. */
export class UploadOvertaken extends Problem {
  constructor() {
    super('unavailable', 'The upload could not be finished in time; send it again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** 416: the file has no byte of the requested range. */
export class RangeNotSatisfiable extends Problem {
  /** @param size of the whole file in bytes */
  constructor(size: number) {
    super('range_not_satisfiable', `The file has ${size} bytes; ask for a range within them.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
}
