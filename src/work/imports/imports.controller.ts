import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { ReadsOwnBody, RefusesIdempotencyKey } from '../../platform/http/route.decorators.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ExportQuery, ImportQuery, ImportResponse, ListedImportResponse } from './import.dto.js';
import { ImportsService } from './imports.service.js';
import { ProjectExportService } from './project-export.service.js';

/** A line of an export. */
const LINE =
  '{"kind":"issue","externalId":"github:acme/web#12","key":"WEB-12","title":"Renew the certificate","status":"Open"}';

@ApiTags('Projects')
@Controller('api/projects/:projectId')
export class ExportController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly exports: ProjectExportService,
  ) {}

  /**
   * Returns all of a project as lines of JSON, from one snapshot, which an import takes. With `attachments=true` they are
   * `export.ndjson` in a tar that has the files too.
   */
  @Get('export')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @ApiOkResponse({
    description: 'One object per line, each with its `kind`. The last line has the kind `end`.',
    content: {
      'application/x-ndjson': { schema: { type: 'string', example: LINE } },
      'application/x-tar': { schema: { type: 'string', format: 'binary' } },
    },
  })
  async export(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() { attachments }: ExportQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    const form = attachments ? 'tar' : 'ndjson';
    if (request.method === 'HEAD') response.type(`application/x-${form}`).end();
    else await this.exports.send(project, form, response);
  }
}

@ApiTags('Projects')
@Controller('api/projects/:projectId/imports')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  /**
   * Takes a file to import into the project: an export of this service, also the archive with its attachments, or one of another system
   * by `format`. The work goes on after the response; the same file again makes nothing twice.
   */
  @Post()
  @HttpCode(202)
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  @ReadsOwnBody()
  @RefusesIdempotencyKey()
  @ApiConsumes('application/x-ndjson', 'application/json', 'text/csv', 'application/x-tar')
  @ApiBody({ required: true, schema: { type: 'string', format: 'binary', example: LINE } })
  @ApiAcceptedResponse({ type: ImportResponse })
  async start(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() { format }: ImportQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportResponse> {
    const row = await this.imports.receive(caller, projectId, format, request);
    response.location(`/api/projects/${row.projectId}/imports/${row.id}`);
    return ImportResponse.from(row);
  }

  /** Returns the imports of a project, newest first, without their reports. */
  @Get()
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ListedImportResponse[]> {
    const page = await this.imports.list(caller, projectId, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(ListedImportResponse.from);
  }

  /** Returns how far an import is, and what it could not take over. */
  @Get(':importId')
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  async get(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Param('importId') importId: string,
  ): Promise<ImportResponse> {
    return ImportResponse.from(await this.imports.get(caller, projectId, importId));
  }
}
