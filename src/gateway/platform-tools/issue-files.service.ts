import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principal.js';
import { encodeCursor, OLDEST_FIRST, pageRequest } from '../../platform/http/page.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { AttachmentReadingService } from '../../work/attachments/attachment-reading.service.js';
import { AttachmentUploadService } from '../../work/attachments/attachment-upload.service.js';
import { AttachmentResponse } from '../../work/attachments/attachment.dto.js';
import { AttachmentsService } from '../../work/attachments/attachments.service.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { WithImage } from '../calls/tool-result.js';
import {
  AddAttachmentArguments,
  argumentsAs,
  ListAttachmentsArguments,
  ReadAttachmentArguments,
} from './arguments.js';
import { fittingFirst, FRAME_CHARACTERS, RESULT_CHARACTERS } from './fitting.js';

type Given = Record<string, unknown>;

/** The tools that list, read and add the files of issues. */
@Injectable()
export class IssueFilesService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly attachments: AttachmentsService,
    private readonly reading: AttachmentReadingService,
    private readonly uploads: AttachmentUploadService,
  ) {}

  async list(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, ...asked } = await argumentsAs(ListAttachmentsArguments, given);
    const issue = await this.access.get(agent, issueId, 'Viewer');
    const page = await this.attachments.list(issue, pageRequest({ ...asked, count: false }));
    const attachments = fittingFirst(
      page.rows.map(AttachmentResponse.from),
      RESULT_CHARACTERS - FRAME_CHARACTERS,
    );
    const last = page.rows[attachments.length - 1];
    const isCut = last && attachments.length < page.rows.length;
    const next = isCut ? [last.createdAt.toISOString(), last.id] : page.next;
    return { attachments, nextCursor: next && encodeCursor(next, OLDEST_FIRST) };
  }

  async read(agent: AgentPrincipal, given: Given): Promise<object> {
    const { attachmentId, offset } = await argumentsAs(ReadAttachmentArguments, given);
    const row = await this.attachments.get(agent, attachmentId);
    const attachment = AttachmentResponse.from(row);
    const image = await this.reading.image(agent, row);
    if (image) {
      const seen = { data: image.toString('base64'), mimeType: row.contentType };
      return new WithImage({ attachment, text: null, nextOffset: null }, seen);
    }
    return { attachment, ...(await this.reading.text(agent, row, offset)) };
  }

  async add(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, filename, contentType, text, base64 } = await argumentsAs(AddAttachmentArguments, given);
    if ((text === undefined) === (base64 === undefined))
      throw new ValidationFailed([
        { path: 'text', message: 'is required, or base64 in its place, and not both' },
      ]);
    const bytes = text === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(text, 'utf8');
    const type = contentType ?? (text === undefined ? 'application/octet-stream' : 'text/plain');
    return { attachment: await this.uploads.add(agent, issueId, { filename, contentType: type, bytes }) };
  }
}
