import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { CarriesSecret, Refuses } from '../../platform/http/route.decorators.js';
import { DeliveriesService } from './deliveries.service.js';
import {
  CreateWebhookRequest,
  DeliveryResponse,
  UpdateWebhookRequest,
  WebhookResponse,
  WebhookWithSecretResponse,
} from './webhook.dto.js';
import { WebhooksService } from './webhooks-and-targets.service.js';

/** The order of the deliveries of a webhook. */
const BY_EVENT = 'eventPosition';

@ApiTags('Webhooks')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Lists the webhooks, oldest first, without their secrets. */
  @Get()
  @Allow({ role: 'Admin' })
  async list(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookResponse[]> {
    const page = await this.webhooks.list(pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(WebhookResponse.from);
  }

  /** Creates a webhook, which receives events from now on. The response has the secret that signs them. */
  @Post()
  @Allow({ role: 'Admin' })
  @CarriesSecret()
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateWebhookRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookWithSecretResponse> {
    const made = await this.webhooks.create(caller, body);
    response.location(`/api/webhooks/${made.row.id}`);
    return WebhookWithSecretResponse.of(made);
  }

  /** Returns one webhook, without its secret. */
  @Get(':webhookId')
  @Allow({ role: 'Admin' })
  async get(@Param('webhookId') webhookId: string): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.get(webhookId));
  }

  /** Changes a webhook. Fields that are left out stay as they are. */
  @Put(':webhookId')
  @Allow({ role: 'Admin' })
  async update(
    @Caller() caller: Principal,
    @Param('webhookId') webhookId: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.update(caller, webhookId, body));
  }

  /** Deletes a webhook and its delivery log. Nothing more is sent. */
  @Delete(':webhookId')
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  async delete(@Param('webhookId') webhookId: string): Promise<void> {
    await this.webhooks.delete(webhookId);
  }

  /** Makes a new secret. The previous one also signs for a day. */
  @Post(':webhookId/rotate-secret')
  @HttpCode(200)
  @Allow({ role: 'Admin' })
  @CarriesSecret()
  async rotateSecret(@Param('webhookId') webhookId: string): Promise<WebhookWithSecretResponse> {
    return WebhookWithSecretResponse.of(await this.webhooks.rotateSecret(webhookId));
  }

  /** Lists the deliveries, oldest first. */
  @Get(':webhookId/deliveries')
  @Allow({ role: 'Admin' })
  async listDeliveries(
    @Param('webhookId') webhookId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryResponse[]> {
    const page = await this.deliveries.list(webhookId, pageRequest(query, BY_EVENT));
    sendPageHeaders(request, response, page, BY_EVENT);
    return page.rows.map(DeliveryResponse.from);
  }

  /** Sends an event of the delivery log again, at once and with all its tries. */
  @Post(':webhookId/deliveries/:deliveryId/redeliver')
  @HttpCode(200)
  @Allow({ role: 'Admin' })
  @Refuses('webhook_disabled')
  async redeliver(
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryResponse> {
    return DeliveryResponse.from(await this.deliveries.redeliver(webhookId, deliveryId));
  }
}
